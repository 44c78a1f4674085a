/** Everything of a share as ZIP files of a limited number of pictures. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { ImageRow } from '../../drizzle/schema.ts';
import { everythingOf } from '../database/statements/access.ts';
import { refusalPages } from '../delivery/refusal-page.ts';
import { shown } from '../delivery/shown.ts';
import { archiveNames } from '../delivery/zip/names.ts';
import { sendArchive } from '../delivery/zip/send-archive.ts';
import { type ArchiveFile, createArchiver } from '../delivery/zip/zip.ts';
import { NotFound, RenditionUnavailable, ShareEnded } from '../errors.ts';
import { forVisitors } from '../http/limits/fair-share.ts';
import { refuses } from '../http/openapi/refusals.ts';
import type { PageAssets } from '../http/page/assets.ts';
import { readPage } from '../http/page-number.ts';
import { withoutLogin } from '../http/scopes.ts';
import { savedName } from '../images/filename.ts';
import { findOwnImages } from '../images/queries.ts';
import { hasRendition } from '../images/rendition-names.ts';
import type { StoredBytes } from '../storage/byte-source.ts';
import { type Admission, nothingShared } from './admission.ts';
import { archiving, KeyParams } from './limits.ts';
import { refusalTexts, type ShareText } from './page-text.ts';
import { contentsOfShare, type FoundShare, findSharedImage, pageOfShare } from './public-queries.ts';

/** Pictures of a part. Originals are opened before the first byte is sent; screen renditions may have to be made. */
const PART = 500;

const partsOf = (images: number) => Math.ceil(images / PART);

/** The links on a share's page. */
export function zipLinks(share: FoundShare, { count, hidden }: { count: number; hidden: number }, text: ShareText) {
  if (!share.download || count === 0) return [];
  const parts = partsOf(count + hidden);
  if (parts === 1) return [{ href: `${share.path}/zip`, label: text.download }];
  return Array.from({ length: parts }, (_, index) => ({
    href: `${share.path}/zip?part=${index + 1}`,
    label: text.downloadPart(index + 1, parts),
  }));
}

/** The bytes that the share shows of an image: its original without the place, or its largest rendition. */
async function bytesOf(
  { delivery }: FastifyInstance,
  { id, originals }: FoundShare,
  row: ImageRow,
): Promise<StoredBytes> {
  if (originals) return delivery.redactedOriginal(row, id);
  const keepsNone = () => false;
  const found = await delivery.rendition(row, hasRendition(row, 'screen') ? 'screen' : 'thumbnail', keepsNone, id);
  if ('bytes' in found) throw new RenditionUnavailable();
  return found;
}

/** Without details, neither the name nor the time of the upload is in the archive. */
function namesOf({ originals, details, createdAt }: FoundShare, row: ImageRow, number: number) {
  const extension = originals ? row.extension : 'webp';
  if (!details) return { filename: `image-${String(number).padStart(4, '0')}.${extension}`, lastModified: createdAt };
  return { filename: savedName(row.filename, extension), lastModified: row.uploadedAt };
}

const hasOptionsOf = (now: FoundShare, before: FoundShare) =>
  now.originals === before.originals && now.details === before.details && now.download === before.download;

type Options = { assets: PageAssets; admission: Admission };

export const shareZip: FastifyPluginAsyncTypebox<Options> = async (app, { assets, admission }) => {
  app.setErrorHandler<FastifyError>(refusalPages(assets, refusalTexts));
  const archiveOf = createArchiver();

  /** The rows of a part in the order of the page, and the number of parts. */
  async function readPart(request: FastifyRequest, share: FoundShare, part: number) {
    return app.runFairly(
      share.id,
      async (lists) => {
        const { count } = await contentsOfShare(lists, share);
        const ids = await pageOfShare(lists, share, count, { page: part, size: PART });
        const rows = ids.length === 0 ? [] : await findOwnImages(lists, everythingOf(share.ownerId), ids);
        return {
          rows: ids.flatMap((id) => rows.find((row) => row.id === id && row.hiddenAt === null) ?? []),
          parts: partsOf(count),
        };
      },
      forVisitors(request),
    );
  }

  app.route({
    method: ['GET', 'HEAD'],
    url: '/s/:key/zip',
    config: { ...archiving, ...withoutLogin, ...refuses(NotFound, ShareEnded) },
    schema: {
      operationId: 'downloadShare',
      summary: 'Download the images of a share as a ZIP file',
      params: KeyParams,
      querystring: Type.Object({ part: Type.Optional(Type.Unknown()) }),
    },
    handler: async (request, reply) => {
      const { key } = request.params;
      const part = readPage(request.query.part);
      const share = await admission.admit(request, key);
      const { rows, parts } = share.download ? await readPart(request, share, part) : { rows: [], parts: 0 };
      if (rows.length === 0) throw nothingShared();
      let isSending = false;
      const files: ArchiveFile[] = rows.map((row, index) => ({
        id: row.id,
        ...namesOf(share, row, (part - 1) * PART + index + 1),
        find: async () => bytesOf(app, share, isSending ? await stillShown(row.id) : row),
      }));
      const [name = ''] = archiveNames([parts === 1 ? share.name : `${share.name} (${part} of ${parts})`]);
      // Parts are unpacked side by side: each has its folder, so that no name occurs twice.
      const archive = await archiveOf(files, { isLazy: !share.originals, ...(parts > 1 && { folder: name }) });
      isSending = true;
      return sendArchive({ filename: `${name}.zip`, ...archive }, { app, request, reply });

      /** A change of the share or of an image takes effect before the next picture: the error ends the archive. */
      async function stillShown(imageId: string): Promise<ImageRow> {
        const now = await admission.admit(request, key);
        if (now.id !== share.id || !hasOptionsOf(now, share)) throw nothingShared();
        return shown(await findSharedImage(app.db, now, imageId));
      }
    },
  });
};
