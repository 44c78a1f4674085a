import type { ImageRow } from '../../drizzle/schema.ts';
import type { Image, StoredImage } from '../contract.ts';
import type { ShownImage } from './columns.ts';
import { hasEnded } from './expiry/expiry.ts';
import { cleanFilename } from './filename.ts';
import { linkPath, renditionPath } from './links/link-paths.ts';
import { canHaveScreen, renditions, wantsScreen } from './rendition-names.ts';

/** How the link treats sensitive metadata of the original. */
function locationOf({ traces }: ShownImage, strip: boolean): Image['location'] {
  if (traces === 'none') return 'none';
  if (!strip) return 'kept';
  // An original that is not inspected yet is inspected before its link serves it.
  return traces === 'unreadable' ? 'withheld' : 'removed';
}

/** The link that the overlay shows; a withheld original falls back to a rendition. */
function screenOf(row: ShownImage, strip: boolean): string {
  if (wantsScreen(row)) return renditionPath(row, 'screen');
  if (locationOf(row, strip) !== 'withheld') return linkPath(row);
  return renditionPath(row, canHaveScreen(row) ? 'screen' : 'thumbnail');
}

const made = (row: ShownImage, name: 'thumbnailAvif' | 'screenAvif', origin: string) =>
  row[renditions[name].checksum] === null ? null : origin + renditionPath(row, name);

function hiddenOf({ hiddenAt, hiddenReason, hiddenLegal, waiting }: ShownImage): Pick<Image, 'hidden'> {
  if (hiddenAt === null) return {};
  const hidden = { since: hiddenAt.toISOString(), reason: hiddenReason, legal: hiddenLegal };
  return { hidden: waiting ? { ...hidden, waiting } : hidden };
}

/** @param strip whether links redact sensitive metadata (STRIP_LOCATION) */
export function imageAnswer(row: ShownImage, origin: string, strip: boolean): Image {
  return {
    id: row.id,
    url: origin + linkPath(row),
    // Earlier versions stored names without a visible character.
    filename: cleanFilename(row.filename, `image.${row.extension}`),
    description: row.description,
    uploaded_at: row.uploadedAt.toISOString(),
    expires_at: row.expiresAt?.toISOString() ?? null,
    thumbnail_url: origin + renditionPath(row, 'thumbnail'),
    thumbnail_avif_url: made(row, 'thumbnailAvif', origin),
    screen_url: origin + screenOf(row, strip),
    screen_avif_url: made(row, 'screenAvif', origin),
    width: row.width,
    height: row.height,
    size: row.size,
    content_type: row.contentType,
    placeholder: row.placeholder,
    camera: row.camera,
    location: locationOf(row, strip),
    ...hiddenOf(row),
  };
}

/** Whether visitors may see the image: it is neither hidden nor expired. */
export const isOpen = ({ hidden, expires_at }: Image): boolean =>
  !hidden && (expires_at === null || !hasEnded(Date.parse(expires_at)));

export const storedAnswer = (row: ImageRow, origin: string, strip: boolean): StoredImage => ({
  ...imageAnswer(row, origin, strip),
  duplicate: row.contentId !== null,
});
