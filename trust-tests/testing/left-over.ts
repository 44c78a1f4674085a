import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { storedFiles } from '../../server/testing/disk.ts';
import { eventually } from '../../server/testing/eventually.ts';
import type { Loopback } from './machine/loopback.ts';

/** @returns the paths of stored picture bytes, without the storage's own files */
export async function pictureFiles(dataDir: string): Promise<string[]> {
  return (await storedFiles(dataDir)).filter((path) => /^(?:originals|thumbnails|screens|staging)\//.test(path));
}

/** Checks that only `rows` pictures are stored: no further row, no further byte. */
export async function nothingLeft(
  t: Test,
  { dataDir, sql }: Pick<Loopback, 'dataDir' | 'sql'>,
  rows = 0,
): Promise<void> {
  const staged = async () => (await pictureFiles(dataDir)).filter((path) => path.startsWith('staging/'));
  // The server clears an aborted request after the client has disconnected.
  await eventually('staging is empty', async () => (await staged()).length === 0);
  t.equal((await sql('select id from images')).length, rows, 'no row is left');
  const originals = (await pictureFiles(dataDir)).filter((path) => path.startsWith('originals/'));
  const contents = await sql('select distinct coalesce(content_id, id) from images');
  t.equal(originals.length, contents.length, 'no bytes are left');
  const above = await readdir(join(dataDir, '..'));
  t.notOk(above.includes('evil.png'), 'nothing was written beside the folder');
}
