/** Stores a complete resumable upload through the same ingest as a form. */
import type { Readable } from 'node:stream';
import type { Transaction } from '../database/connect.ts';
import { type Quota, quotaExceeded } from '../images/quota.ts';
import type { Ingest } from './ingest.ts';
import { isRefusal, type Refusal } from './refusal.ts';

type ReceivedFile = {
  ownerId: string;
  /** As it was sent. */
  filename: string;
  source: Readable;
  alongside: (tx: Transaction, imageId: string) => Promise<void>;
};

type TakeFile = (file: ReceivedFile) => Promise<{ imageId: string } | { refused: Refusal }>;

export function createTakeFile(ingest: Ingest, quota: Quota): TakeFile {
  return async ({ ownerId, filename, source, alongside }) => {
    const staged = await ingest.receive(source);
    try {
      // Never aborted: the client may request the outcome later.
      const sender = { ownerId, gone: new AbortController().signal, outcomes: new Map() };
      const accepted = await ingest.inspect(staged, filename, sender);
      const { stored, refused, held } = await ingest.keepAll(ownerId, [accepted], async (tx, rows) => {
        for (const { id } of rows) await alongside(tx, id);
      });
      if (stored[0]) return { imageId: stored[0].id };
      throw refused[0]?.error ?? quotaExceeded(held, quota);
    } catch (error) {
      if (isRefusal(error)) return { refused: error };
      throw error;
    } finally {
      await ingest.discard(staged).catch(() => undefined);
    }
  };
}
