import type { ImageRow } from '../../drizzle/schema.ts';

export type ShownImage = Pick<
  ImageRow,
  | 'id'
  | 'linkKey'
  | 'filename'
  | 'description'
  | 'extension'
  | 'contentType'
  | 'size'
  | 'width'
  | 'height'
  | 'placeholder'
  | 'camera'
  | 'hasScreen'
  | 'thumbnailAvifSha256'
  | 'screenAvifSha256'
  | 'traces'
  | 'hiddenAt'
  | 'hiddenReason'
  | 'hiddenLegal'
  | 'waiting'
  | 'uploadedAt'
  | 'expiresAt'
>;

/** A row of `shownColumns` from the driver; its id is null for an outer join without an image. */
export type ShownColumns = Omit<
  ShownImage,
  'size' | 'uploadedAt' | 'expiresAt' | 'hiddenAt' | 'hiddenReason' | 'hiddenLegal' | 'waiting'
> & {
  size: string;
  uploadedAt: number;
  expiresAt: number | null;
  hidden: { at: number; reason: string | null; legal: boolean; waiting: boolean } | null;
};

/** Selects from a table or query named `i`. Times in milliseconds parse ten times faster than text. */
export const shownColumns = `i.id, i.link_key as "linkKey", i.filename, i.description, i.extension, i.content_type as "contentType",
  i.size, i.width, i.height, i.placeholder, i.camera, i.has_screen as "hasScreen",
  i.thumbnail_avif_sha256 as "thumbnailAvifSha256", i.screen_avif_sha256 as "screenAvifSha256", i.traces,
  case when i.hidden_at is not null then json_build_object('at', date_part('epoch', i.hidden_at) * 1000,
    'reason', i.hidden_reason, 'legal', i.hidden_legal, 'waiting', i.waiting) end as hidden,
  date_part('epoch', i.uploaded_at) * 1000 as "uploadedAt", date_part('epoch', i.expires_at) * 1000 as "expiresAt"`;

const momentOf = (milliseconds: number) => new Date(Math.round(milliseconds));

export function shownImage({ hidden, ...row }: ShownColumns): ShownImage {
  return Object.assign(row, {
    size: Number(row.size),
    uploadedAt: momentOf(row.uploadedAt),
    expiresAt: row.expiresAt === null ? null : momentOf(row.expiresAt),
    hiddenAt: hidden && momentOf(hidden.at),
    hiddenReason: hidden?.reason ?? null,
    hiddenLegal: hidden?.legal ?? false,
    waiting: hidden?.waiting ?? false,
  }) as unknown as ShownImage;
}
