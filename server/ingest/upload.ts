/** Receives the parts of a multipart request in turn, and inspects each while the next arrives. */
import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import type { ImageRow } from '../../drizzle/schema.ts';
import { fileTooLarge, NoFile } from '../errors.ts';
import { drainRequest } from '../http/drain-request.ts';
import { cleanFilename, decodeWords, unescapeFormName } from '../images/filename.ts';
import type { Staged } from '../storage/storage.ts';
import { clientOf } from './admission.ts';
import { asUploadError } from './broken-upload.ts';
import type { Sender } from './deduplication.ts';
import type { Accepted, Ingest, Keeping } from './ingest.ts';
import { isRefusal, type Refusal } from './refusal.ts';
import { readUploadKeys } from './upload-keys.ts';

type UploadLimits = { maxFileSize: number; maxFiles: number };

/** The form of an upload API. */
export type Form = {
  /** The field of the files. */
  field: string;
  /** Further fields that it reads. */
  fields?: readonly string[];
  maxFiles?: number;
  /** Called once all parts have arrived, because programs send fields also after the files. */
  keepingOf: (fields: ReadonlyMap<string, string>) => Keeping | Promise<Keeping>;
};

export type Refused = { filename: string; error: Refusal };
type Outcome = { accepted: Accepted } | { refused: Refused };

/** A file's row, or why it was not stored. */
export type Result = { row: ImageRow } | Refused;

const isAccepted = (outcome: Outcome): outcome is { accepted: Accepted } => 'accepted' in outcome;

type Work = {
  held: Staged[];
  outcomes: Promise<Outcome>[];
  sender: Sender;
  keys: string[];
  fields: Map<string, string>;
};

/** Maximum ignored parts of a form. */
const strayParts = 100;

function openParts(request: FastifyRequest, { maxFileSize, maxFiles }: UploadLimits) {
  return request.parts({
    // Encoded words contain slashes; cleanFilename removes the path.
    preservePath: true,
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

/** Stores the accepted files. A file that did not fit or could not be stored is refused. */
async function storeAccepted(
  keepAll: Ingest['keepAll'],
  sender: Sender,
  keeping: Keeping,
  outcomes: Outcome[],
): Promise<Result[]> {
  const accepted = outcomes.filter(isAccepted).map((outcome) => outcome.accepted);
  const { rows, refused } = await keepAll(sender, accepted, keeping);
  const errors = new Map(refused.map(({ file, error }) => [file, error]));
  return outcomes.map((outcome): Result => {
    if (!isAccepted(outcome)) return outcome.refused;
    const file = outcome.accepted;
    const row = rows.get(file);
    if (row) return { row };
    const error = errors.get(file);
    if (!isRefusal(error)) throw error;
    return { filename: cleanFilename(file.filename, 'image'), error };
  });
}

export function createUpload(ingest: Ingest, limits: UploadLimits) {
  /** Receives one part and starts its inspection. */
  async function receivePart(part: MultipartFile, { held, outcomes, sender, keys }: Work): Promise<void> {
    const sent = decodeWords(unescapeFormName(part.filename ?? ''));
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

  async function receiveAll(request: FastifyRequest, form: Form, work: Work): Promise<void> {
    const { field, fields = [], maxFiles = limits.maxFiles } = form;
    for await (const part of openParts(request, { ...limits, maxFiles })) {
      if (part.type !== 'file') {
        // The library parses fields that are declared as JSON.
        const { fieldname, value } = part;
        if (fields.includes(fieldname) && typeof value === 'string') work.fields.set(fieldname, value);
        continue;
      }
      if (part.fieldname !== field) {
        part.file.resume();
        continue;
      }
      await receivePart(part, work);
    }
  }

  /**
   * @param gone aborted with a refusal when the client disconnects
   * @returns rows and refusals in the order sent; only refusals if nothing is stored
   * @throws the error that ended the upload, with nothing left behind
   */
  return async function upload(request: FastifyRequest, form: Form, gone: AbortSignal): Promise<Result[]> {
    const { field, maxFiles = limits.maxFiles } = form;
    const { ownerId } = request.access;
    const sender = { ownerId, client: clientOf(request), gone, outcomes: new Map() };
    const work: Work = { held: [], outcomes: [], sender, keys: [], fields: new Map() };
    try {
      gone.throwIfAborted();
      work.keys = readUploadKeys(request);
      await receiveAll(request, form, work).catch((error) => {
        throw asUploadError(error, { maxFiles, maxFields: strayParts, field });
      });
      const keeping = await form.keepingOf(work.fields);
      if (work.outcomes.length === 0) throw new NoFile(field);
      const settled = await Promise.all(work.outcomes);
      const refused = settled.flatMap((outcome) => (isAccepted(outcome) ? [] : [outcome.refused]));
      if (refused.length === settled.length || (keeping.allOrNone && refused.length > 0)) return refused;
      // A disconnected client would never learn what was stored.
      gone.throwIfAborted();
      return await storeAccepted(ingest.keepAll, sender, keeping, settled);
    } catch (error) {
      await drainRequest(request.raw);
      throw error;
    } finally {
      await Promise.allSettled(work.outcomes);
      await Promise.all(work.held.map((staged) => ingest.discard(staged).catch(() => undefined)));
    }
  };
}
