/** Stores a complete resumable upload through the same ingest as a form. */
import type { Readable } from 'node:stream';
import { GuestNeeded } from '../../errors.ts';
import type { Client } from '../admission.ts';
import type { Ingest, Keeping } from '../ingest.ts';
import { isRefusal, type Refusal } from '../refusal.ts';

type ReceivedFile = {
  ownerId: string;
  client: Client;
  /** As it was sent. */
  filename: string;
  uploadKey: string | null;
  source: Readable;
  keeping: Keeping;
};

/** @returns the refusal; undefined if the file is stored @throws server errors; the error of `keeping.alongside` */
export async function storeFile(
  ingest: Ingest,
  { ownerId, client, filename, uploadKey, source, keeping }: ReceivedFile,
): Promise<Refusal | undefined> {
  const staged = await ingest.receive(source);
  try {
    // Never aborted: the client may request the outcome later.
    const sender = { ownerId, client, gone: new AbortController().signal, outcomes: new Map() };
    const accepted = await ingest.inspect(staged, filename, sender);
    const { refused } = await ingest.keepAll(sender, [{ ...accepted, uploadKey: uploadKey ?? undefined }], keeping);
    const [first] = refused;
    if (first) throw first.error;
    return undefined;
  } catch (error) {
    // A guest who enters again may repeat the call.
    if (isRefusal(error) && !(error instanceof GuestNeeded)) return error;
    throw error;
  } finally {
    await ingest.discard(staged).catch(() => undefined);
  }
}
