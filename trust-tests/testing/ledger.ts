/** What a server has said it keeps, as its clients remember it. */
import { createHash } from 'node:crypto';
import type { UploadAnswer } from '../../server/contract.ts';
import type { SentFile } from '../../server/testing/form.ts';
import type { Answer } from './call.ts';

export const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');

export type Kept = { id: string; filename: string; path: string };

export type Ledger = ReturnType<typeof createLedger>;

export function createLedger() {
  /** SHA-256 of every file that was ever sent, by its name, which is no other's. */
  const sent = new Map<string, string>();
  /** Pictures answered with 201 and not asked to be deleted, by id. */
  const kept = new Map<string, Kept>();
  /** Pictures whose deletion was answered with 204. */
  const gone = new Map<string, Kept>();
  /** Uploads without an answer, or with one that leaves it open: the names of their files. */
  const open = new Set<string[]>();
  /** Pictures whose deletion was asked for and not answered. */
  const unconfirmed = new Map<string, Kept>();
  /** Statuses of uploads and deletions that were refused. */
  const refused: number[] = [];
  /** How connections were lost. */
  const broken: string[] = [];

  return {
    sent,
    kept,
    gone,
    open,
    unconfirmed,
    refused,
    broken,
    /** Uploads answered with 201 and deletions answered with 204. */
    answered: 0,

    async upload(files: SentFile[], send: (files: SentFile[]) => Promise<Answer>): Promise<Answer> {
      const names = files.map(({ name }) => name);
      for (const { name, bytes } of files) sent.set(name, sha256(bytes));
      open.add(names);
      const answer = await send(files);
      // After a failure of the server nobody knows; a refusal says that nothing was stored.
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
