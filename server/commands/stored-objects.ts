/** One after another, all that rows name in the storage, while a server may run beside. */
import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import type { ImageRow } from '../../drizzle/schema.ts';
import { nobody } from '../database/presence.ts';
import { codeOf } from '../database/start-error.ts';
import { firstOfEach, holdContent, sharedContents } from '../images/content-queries.ts';
import { originalKey, screenAvifKey, screenKey, thumbnailAvifKey, thumbnailKey } from '../images/keys.ts';
import { countImagesAfter, imagesAfter } from '../images/queries.ts';
import type { Hold, Outcome, Sealing } from '../storage/sealed/sealing.ts';
import { CommandFailed } from './failures.ts';
import { looseBytesOf } from './loose-bytes.ts';
import { noteAbove, startProgress } from './progress.ts';
import type { Admin } from './surroundings.ts';

/** Images looked at in one go, several at a time. */
const batch = 100;

const first = '00000000-0000-0000-0000-000000000000';

export type StoredObject = {
  key: string;
  /** Of its plaintext, in hex, where its row says it. */
  sha256: string | null;
  hold: Hold;
};

export type Sums = Record<Outcome, number> & { failed: number };

const objectsOf = (row: ImageRow): [key: string, sha256: string | null][] => [
  [originalKey(row), row.sha256],
  [thumbnailKey(row), row.thumbnailSha256],
  [screenKey(row), row.screenSha256],
  [thumbnailAvifKey(row), row.thumbnailAvifSha256],
  [screenAvifKey(row), row.screenAvifSha256],
];

const reasons: Record<string, string> = {
  EBADMSG: 'its bytes are damaged; "doctor" tells more',
  ENOKEY: 'it is sealed by a key that is not given',
};

/** @throws CommandFailed where no key is given to seal with */
export async function sealingOf(admin: Admin): Promise<Sealing> {
  const { sealing } = await admin.storage();
  if (sealing?.keyring.present) return sealing;
  throw new CommandFailed('ENCRYPTION_KEY is not set: there is no key to seal with.');
}

/** An upload that ends meanwhile leaves its pieces to the sweep. */
const unheld: Hold = async (work) => {
  await work();
  return true;
};

/** What cannot be worked on is named; what ails the whole storage ends the run. */
export async function eachStored(
  admin: Admin,
  label: string,
  work: (object: StoredObject) => Promise<Outcome>,
): Promise<Sums> {
  const { db } = admin;
  const storage = await admin.storage();
  // At nothing that is loose under any name: it only asks for rows that may have gone.
  const loose = looseBytesOf(admin, storage, nobody);
  const sums: Sums = { done: 0, before: 0, plain: 0, missing: 0, failed: 0 };
  const inTurn = pLimit(availableParallelism());
  const isFirst = firstOfEach(await sharedContents(db));
  const progress = startProgress(label, await countImagesAfter(db, first));

  const holdOf =
    (row: ImageRow): Hold =>
    async (replace) => {
      let replacing: Promise<void> | undefined;
      try {
        return await holdContent(db, row, () => {
          replacing = replace();
          return replacing;
        });
      } catch (error) {
        // It may still be writing: a lost connection ends the transaction at once.
        await replacing?.catch(() => undefined);
        if (replacing) await loose.doubt(row);
        throw error;
      }
    };

  const attempt = async (object: StoredObject) => {
    try {
      sums[await work(object)] += 1;
    } catch (error) {
      const reason = reasons[codeOf(error) ?? ''];
      if (reason === undefined) throw error;
      sums.failed += 1;
      noteAbove(`${object.key}: ${reason}`);
    }
  };
  const one = async (row: ImageRow) => {
    for (const [key, sha256] of isFirst(row) ? objectsOf(row) : []) await attempt({ key, sha256, hold: holdOf(row) });
    progress.step();
  };

  try {
    for (let last = first; ; ) {
      const rows = await imagesAfter(db, last, batch);
      const end = rows.at(-1);
      if (!end) break;
      await Promise.all(rows.map((row) => inTurn(one, row)));
      last = end.id;
    }
    for await (const key of storage.sealing?.pieces() ?? []) await attempt({ key, sha256: null, hold: unheld });
    return sums;
  } finally {
    progress.stop();
    await loose.settle();
  }
}
