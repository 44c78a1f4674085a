/** Reads a page of a share, and the picture that stands for it. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AlbumView } from '../albums/page-html.ts';
import type { Config } from '../config/config.ts';
import type { ClientDatabase } from '../database/connect.ts';
import { findShown } from '../gallery/pages.ts';
import { forVisitors } from '../http/limits/fair-share.ts';
import { type ShareText, textFor } from './page-text.ts';
import type { createPictureCodes } from './picture-codes.ts';
import { contentsOfShare, type FoundShare, pageOfShare } from './public-queries.ts';
import { visitorImages } from './visitor-images.ts';

type SharePage = Pick<AlbumView, 'count' | 'hidden' | 'images' | 'lead' | 'page' | 'totalPages'>;

type Wanted = { share: FoundShare; text: ShareText; page: number; pageSize: number };

export type ReaderParts = { config: Config; codesOf: ReturnType<typeof createPictureCodes> };

/** Reads pages for visitors, within what the share may use of the database. */
export function createReader(app: FastifyInstance, { config: { pageSize }, codesOf }: ReaderParts) {
  /** @returns undefined past the last page */
  return (request: FastifyRequest, share: FoundShare, page: number) => {
    const wanted = { share, text: textFor(request.headers), page, pageSize };
    return app.runFairly(share.id, (lists) => readSharePage(lists, codesOf, wanted), forVisitors(request));
  };
}

async function readSharePage(
  lists: ClientDatabase,
  codesOf: ReturnType<typeof createPictureCodes>,
  { share, text, page, pageSize }: Wanted,
): Promise<SharePage | undefined> {
  const { count, hidden, cover } = await contentsOfShare(lists, share);
  const totalPages = Math.ceil(count / pageSize);
  if (page > Math.max(1, totalPages)) return undefined;
  const ids = await pageOfShare(lists, share, count, { page, size: pageSize });
  const [first] = page === 1 ? ids : await pageOfShare(lists, share, count, { page: 1, size: 1 });
  const leadId = cover ?? first;
  const wanted = [...new Set([...ids, ...(leadId ? [leadId] : [])])];
  const rows = wanted.length === 0 ? [] : await findShown(lists, share.ownerId, wanted);
  const codes = codesOf(share.id);
  const firstNumber = (page - 1) * pageSize + 1;
  const shown = (some: readonly string[]) =>
    visitorImages(
      some.flatMap((id) => rows.find((row) => row.id === id) ?? []),
      { share, codes, text, firstNumber },
    );
  const images = shown(ids);
  const [lead = images[0]] = shown(leadId ? [leadId] : []);
  return { count: count - hidden, hidden, images, lead, page, totalPages };
}
