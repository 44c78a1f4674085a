/** Finds files that no image, upload or deletion names. */
import type { Database } from '../../database/connect.ts';
import { allKeys } from '../../images/keys.ts';
import type { Backend } from '../../storage/backend.ts';
import type { Listed } from '../../storage/object-store.ts';
import type { Report } from './issues.ts';
import { ownersOf } from './queries.ts';

type Parts = {
  db: Database;
  backend: Pick<Backend, 'everything' | 'setAside'>;
  /** Whether the storage still belongs to this database. */
  isOwned: () => Promise<boolean>;
};
type Options = { repair: boolean; report: Report; signal?: AbortSignal | undefined; now?: () => number };

/** Milliseconds. Younger files may belong to an upload. */
const AGE = 3_600_000;
const AT_ONCE = 200;
/** Files that other checks cover. */
const elsewhere = /^(?:installation|restoring)$/;
const ID =
  /^(?:originals|thumbnails|screens)\/..\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.\w+$/;

const idIn = (key: string) => ID.exec(key)?.[1];

/** @returns number of files */
export async function checkOrphanedFiles(parts: Parts, options: Options): Promise<number> {
  let count = 0;
  let some: Listed[] = [];
  const unreadable = (folder: string, code: string) =>
    options.report({ kind: 'folder unreadable', subject: folder, detail: code, repaired: false });
  for await (const file of parts.backend.everything({ unreadable })) {
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
    const moved = options.repair ? await move(parts, key, now) : {};
    if (moved === 'known') continue;
    const detail = moved.to ? `now ${moved.to}` : `${size} bytes${moved.failed ? `; not moved (${moved.failed})` : ''}`;
    options.report({ kind: 'stray file', subject: key, detail, repaired: moved.to !== undefined });
  }
}

async function knownKeys(db: Database, files: Pick<Listed, 'key'>[]): Promise<Set<string>> {
  const ids = files.map(({ key }) => idIn(key)).filter((id) => id !== undefined);
  return ids.length === 0 ? new Set() : new Set((await ownersOf(db, ids)).flatMap(allKeys));
}

type Moved = { to?: string | undefined; failed?: string | undefined };

/** Checks again before the move: the listing is old. @returns its new key, or why not; `known` if a row names it now */
async function move({ db, backend, isOwned }: Parts, key: string, now: () => number): Promise<'known' | Moved> {
  if (!(await isOwned())) return {};
  if ((await knownKeys(db, [{ key }])).has(key)) return 'known';
  const day = new Date(now()).toISOString().slice(0, 10);
  try {
    return { to: await backend.setAside(key, { day, olderThan: now() - AGE }) };
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    return { failed: code };
  }
}
