/** Receives the parts of a multipart request in turn, and inspects each while the next arrives. */
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { ImageRow } from '../../drizzle/schema.ts';
import type { Rejection } from '../contract.ts';
import type { Reach } from '../database/statements/access.ts';
import { fileTooLarge, NoFile } from '../errors.ts';
import { drainRequest } from '../http/drain-request.ts';
import { cleanFilename, unescapeFormName } from '../images/filename.ts';
import { type Quota, quotaExceeded } from '../images/quota.ts';
import type { Staged } from '../storage/storage.ts';
import { asUploadError } from './broken-upload.ts';
import type { Sender } from './deduplication.ts';
import type { Accepted, Ingest } from './ingest.ts';
import { isRefusal, type Refusal } from './refusal.ts';
import { intoAlbum } from './target-album.ts';
import { readUploadKeys } from './upload-keys.ts';

type UploadLimits = { maxFileSize: number; maxFiles: number; quota: Quota };

type Refused = { filename: string; error: Refusal };
type Outcome = { accepted: Accepted } | { refused: Refused };

const isAccepted = (outcome: Outcome): outcome is { accepted: Accepted } => 'accepted' in outcome;
const refusedOf = (outcome: Outcome): Refused[] => (isAccepted(outcome) ? [] : [outcome.refused]);

type Work = { held: Staged[]; outcomes: Promise<Outcome>[]; sender: Sender; keys: string[] };

const fieldName = 'images';

/** Maximum ignored parts of a form. */
const strayParts = 100;

function openParts(request: FastifyRequest, { maxFileSize, maxFiles }: UploadLimits) {
  return request.parts({
    limits: {
      fileSize: maxFileSize,
      files: maxFiles,
      parts: maxFiles + strayParts,
      fields: strayParts,
      fieldSize: 64 * 1024,
    },
  });
}

/** Browsers send one part without name and bytes if no file is chosen. */
const isNothingChosen = (filename: string, staged: Staged) => filename === '' && staged.size === 0;

/** Stores the accepted files. @returns the outcomes, now refused if a file did not fit or could not be stored */
async function storeAccepted(
  keepAll: Ingest['keepAll'],
  quota: Quota,
  target: Reach,
  outcomes: Outcome[],
): Promise<{ stored: ImageRow[]; outcomes: Outcome[] }> {
  const accepted = outcomes.filter(isAccepted).map((outcome) => outcome.accepted);
  const { stored, refused, held } = await keepAll(target.ownerId, accepted, intoAlbum(target));
  const without = new Map(refused.map(({ file, error }) => [file, error ?? quotaExceeded(held, quota)]));
  const final = outcomes.map((outcome): Outcome => {
    const error = isAccepted(outcome) ? without.get(outcome.accepted) : undefined;
    if (!isAccepted(outcome) || !isRefusal(error)) return outcome;
    return { refused: { filename: cleanFilename(outcome.accepted.filename, 'image'), error } };
  });
  return { stored, outcomes: final };
}

export function createUpload(ingest: Ingest, limits: UploadLimits) {
  /** Receives one part and starts its inspection. */
  async function receivePart(part: MultipartFile, { held, outcomes, sender, keys }: Work): Promise<void> {
    const sent = unescapeFormName(part.filename ?? '');
    const filename = cleanFilename(sent, 'image');
    const uploadKey = keys[outcomes.length];
    const staged = await ingest.receive(part.file);
    held.push(staged);
    if (isNothingChosen(sent, staged)) return;
    if (part.file.truncated) {
      await ingest.discard(staged);
      outcomes.push(Promise.resolve({ refused: { filename, error: fileTooLarge(limits.maxFileSize) } }));
      return;
    }
    const outcome = ingest.inspect(staged, sent, sender).then(
      (accepted): Outcome => ({ accepted: { ...accepted, uploadKey } }),
      async (error: unknown): Promise<Outcome> => {
        if (!isRefusal(error)) throw error;
        await ingest.discard(staged);
        return { refused: { filename, error } };
      },
    );
    // Awaited once all parts are received; until then a failure must not count as unhandled.
    outcome.catch(() => undefined);
    outcomes.push(outcome);
  }

  async function receiveAll(request: FastifyRequest, work: Work): Promise<void> {
    for await (const part of openParts(request, limits)) {
      if (part.type !== 'file') continue;
      if (part.fieldname !== fieldName) {
        part.file.resume();
        continue;
      }
      await receivePart(part, work);
    }
  }

  /**
   * @param target the account, and the album that the images are put into
   * @param gone aborted with a refusal when the client disconnects
   * @returns rows and refusals in the order sent
   * @throws the first refusal if nothing was stored; the error that ended the upload, with nothing left behind
   */
  return async function upload(request: FastifyRequest, target: Reach, gone: AbortSignal) {
    const sender = { ownerId: target.ownerId, gone, outcomes: new Map() };
    const work: Work = { held: [], outcomes: [], sender, keys: [] };
    try {
      gone.throwIfAborted();
      work.keys = readUploadKeys(request);
      await receiveAll(request, work).catch((error) => {
        throw asUploadError(error, limits.maxFiles);
      });
      if (work.outcomes.length === 0) throw new NoFile();
      const settled = await Promise.all(work.outcomes);
      if (!settled.some(isAccepted)) throw refuseAll(settled.flatMap(refusedOf));
      // A disconnected client would never learn what was stored.
      gone.throwIfAborted();
      const { stored, outcomes } = await storeAccepted(ingest.keepAll, limits.quota, target, settled);
      const rejected = outcomes.flatMap(refusedOf);
      if (stored.length === 0) throw refuseAll(rejected);
      return { rows: stored, rejected: rejected.map(asRejection) };
    } catch (error) {
      await drainRequest(request.raw);
      throw error;
    } finally {
      await Promise.allSettled(work.outcomes);
      await Promise.all(work.held.map((staged) => ingest.discard(staged).catch(() => undefined)));
    }
  };
}

const asRejection = ({ filename, error }: Refused): Rejection => ({
  filename,
  code: error.code,
  message: error.message,
});

function refuseAll(refused: Refused[]): Error {
  const [first] = refused;
  if (!first) return new NoFile();
  return refused.length === 1 ? first.error : Object.assign(first.error, { rejected: refused.map(asRejection) });
}
