import { randomUUID } from 'node:crypto';
import type { Backend } from '../../storage/backend.ts';
import { BackupError } from '../backup-error.ts';
import type { RestoreParts } from './restore.ts';
import { checkNobody, hasRows } from './target.ts';

const restored = /^(?:originals|thumbnails|screens)\/..\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[a-z0-9]{1,16}$/;

/** @throws BackupError if no restore was begun, or rows may name the files */
async function ensureUnfinished({ sql, target, process }: RestoreParts): Promise<string> {
  const installation = await target.restoring.read();
  if (installation === undefined) {
    throw new BackupError(`No unfinished restore is in ${target.marker.texts.location}. Nothing was removed.`);
  }
  await checkNobody(sql, process);
  if (await hasRows(sql, 'images')) throw new BackupError('The database holds images: nothing was removed.');
  return installation;
}

async function* filesIn(target: Backend): AsyncGenerator<string> {
  for await (const { key } of target.everything()) if (restored.test(key)) yield key;
}

/** Number of files that discardRestore would remove. @throws BackupError like discardRestore */
export async function unfinishedFiles(parts: RestoreParts): Promise<number> {
  await ensureUnfinished(parts);
  let count = 0;
  for await (const _ of filesIn(parts.target)) count += 1;
  return count;
}

/** Removes files, then ownership markers; repeatable if killed. @returns number of files @throws BackupError, one line */
export async function discardRestore(parts: RestoreParts): Promise<number> {
  const { target, root, process, isAlive } = parts;
  const installation = await ensureUnfinished(parts);
  // A restore killed at its start may not have marked the backend yet.
  await target.restoring.begin(installation);
  const storage = await target.open({ installation, process }, root);
  let removed = 0;
  try {
    for await (const key of filesIn(target)) {
      await storage.remove(key);
      removed += 1;
    }
    await storage.sweep(isAlive);
    // A new id: the next gallery stored here is not the one that was backed up.
    await target.restoring.begin(randomUUID());
    await target.restoring.end();
    return removed;
  } finally {
    await storage.close();
  }
}
