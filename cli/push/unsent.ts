/** Which files must be sent: neither in the journal nor, by their keys, on the server. */
import { findUploaded } from '../api/calls.ts';
import type { Connection } from '../api/http.ts';
import { reasonOf } from '../files.ts';
import type { Entry, Journal } from './journal.ts';
import { sha256OfFile, uploadKeyOf } from './keys.ts';
import type { Found } from './scan.ts';

export type Unsent = { file: Found; key: string; entry?: Entry | undefined };
export type Present = { file: Found; key: string; image: string };

/** Files whose keys one request looks up; a request's headers have at most 16 kB. */
const batch = 100;

type Parts = {
  connection: Connection;
  journal: Journal;
  onPresent: (present: Present) => Promise<void>;
  onFailed: (file: Found, reason: string) => void;
};

/** Yields the files to send. Reads ahead by one batch at most, so that sending begins at once. */
export function createUnsent({ connection, journal, onPresent, onFailed }: Parts) {
  async function keyed(files: Found[]): Promise<Unsent[]> {
    const read: Unsent[] = [];
    for (const file of files) {
      const entry = journal.find(file);
      try {
        const key = entry?.key ?? uploadKeyOf(file.below, await sha256OfFile(file.path));
        read.push({ file, key, entry });
      } catch (error) {
        onFailed(file, reasonOf(error));
      }
    }
    return read;
  }

  const lookUp = async (some: Unsent[]): Promise<(string | null)[]> => {
    const keys = some.map(({ key }) => key);
    return keys.length === 0 ? [] : findUploaded(connection, keys);
  };

  return async function* unsent(files: Found[]): AsyncGenerator<Unsent> {
    for (let at = 0; at < files.length; at += batch) {
      const some = await keyed(files.slice(at, at + batch));
      const ids = await lookUp(some);
      for (const [index, one] of some.entries()) {
        const image = ids[index];
        if (image) await onPresent({ file: one.file, key: one.key, image });
        else yield one;
      }
    }
  };
}
