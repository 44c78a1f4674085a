/** Records what a server has confirmed, as its clients saw it. */
import { createHash } from 'node:crypto';
import type { UploadAnswer } from '../../server/contract.ts';
import type { SentFile } from '../../server/testing/form.ts';
import type { Answer } from './call.ts';

export const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

export type Kept = { id: string; filename: string; path: string };

export type Ledger = ReturnType<typeof createLedger>;

export function createLedger() {
  /** SHA-256 of every file that was ever sent, by its unique name. */
  const sent = new Map<string, string>();
  /** Confirmed pictures whose deletion was not requested, by id. */
  const kept = new Map<string, Kept>();
  /** Pictures with a confirmed deletion. */
  const gone = new Map<string, Kept>();
  /** File names of uploads without a definite answer. */
  const open = new Set<string[]>();
  /** Pictures whose deletion was requested and not confirmed. */
  const unconfirmed = new Map<string, Kept>();
  /** Statuses of refused uploads and deletions. */
  const refused: number[] = [];
  /** Errors of lost connections. */
  const broken: string[] = [];

  return {
    sent,
    kept,
    gone,
    open,
    unconfirmed,
    refused,
    broken,
    /** Number of confirmed uploads and deletions. */
    answered: 0,

    async upload(files: SentFile[], send: (files: SentFile[]) => Promise<Answer>): Promise<Answer> {
      const names = files.map(({ name }) => name);
      for (const { name, bytes } of files) sent.set(name, sha256(bytes));
      open.add(names);
      const answer = await send(files);
      // After a 5xx the outcome is unknown; a 4xx means that nothing was stored.
      if (answer.status < 500) open.delete(names);
      if (answer.status !== 201) {
        refused.push(answer.status);
        return answer;
      }
      this.answered += 1;
      for (const { id, filename, url } of (JSON.parse(answer.body) as UploadAnswer).images)
        kept.set(id, { id, filename, path: new URL(url).pathname });
      return answer;
    },

    async deletion(picture: Kept, send: (id: string) => Promise<Answer>): Promise<Answer> {
      kept.delete(picture.id);
      unconfirmed.set(picture.id, picture);
      const answer = await send(picture.id);
      if (answer.status === 204) {
        this.answered += 1;
        unconfirmed.delete(picture.id);
        gone.set(picture.id, picture);
      } else refused.push(answer.status);
      return answer;
    },
  };
}
