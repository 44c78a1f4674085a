/** Files in the storage that no image and no upload or deletion knows. */
import type { Database } from '../database/connect.ts';
import { allKeys } from '../images/keys.ts';
import { type Listed, listFiles } from '../storage/listing.ts';
import { moveToLostAndFound } from '../storage/lost-and-found.ts';
import type { Report } from './findings.ts';
import { ownersOf } from './queries.ts';

type Parts = {
  db: Database;
  /** The storage's folder. */
  root: string;
  /** Whether it is still the storage that belongs to this database. */
  isOurs: () => Promise<boolean>;
};
type Options = { repair: boolean; report: Report; signal?: AbortSignal | undefined; now?: () => number };

/** Milliseconds: what is younger may be an upload's. */
const AGE = 3_600_000;
const AT_ONCE = 200;
/** Known by other means; and what was moved already. */
const elsewhere = /^(?:installation$|restoring$|staging\/|lost-and-found\/)/;
const ID =
  /^(?:originals|thumbnails|screens)\/..\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.\w+$/;

const idIn = (key: string) => ID.exec(key)?.[1];

/** @returns how many files there were */
export async function checkStrays(parts: Parts, options: Options): Promise<number> {
  let count = 0;
  let some: Listed[] = [];
  for await (const file of listFiles(parts.root)) {
    count += 1;
    if (elsewhere.test(file.key)) continue;
    some.push(file);
    if (some.length < AT_ONCE) continue;
    await checkSome(parts, some, options);
    some = [];
  }
  await checkSome(parts, some, options);
  return count;
}

async function checkSome(parts: Parts, files: Listed[], options: Options): Promise<void> {
  options.signal?.throwIfAborted();
  const now = options.now ?? Date.now;
  const old = files.filter(({ modified }) => modified.getTime() < now() - AGE);
  const known = await knownKeys(parts.db, old);
  for (const { key, size } of old) {
    if (known.has(key)) continue;
    const moved = options.repair ? await move(parts, key, now) : undefined;
    if (moved === 'known') continue;
    const detail = moved ? `now ${moved}` : `${size} bytes`;
    options.report({ kind: 'stray file', subject: key, detail, repaired: moved !== undefined });
  }
}

async function knownKeys(db: Database, files: Pick<Listed, 'key'>[]): Promise<Set<string>> {
  const ids = files.map(({ key }) => idIn(key)).filter((id) => id !== undefined);
  return ids.length === 0 ? new Set() : new Set((await ownersOf(db, ids)).flatMap(allKeys));
}

/**
 * Looked at once more at this very moment: the list is old by now, and a live picture must never go by a stale one.
 * @returns where it is now; `known` where it turns out to belong to somebody; undefined where it could not be moved
 */
async function move({ db, root, isOurs }: Parts, key: string, now: () => number): Promise<string | undefined> {
  if (!(await isOurs())) return undefined;
  if ((await knownKeys(db, [{ key }])).has(key)) return 'known';
  return moveToLostAndFound(root, key, { day: new Date(now()).toISOString().slice(0, 10), olderThan: now() - AGE });
}
