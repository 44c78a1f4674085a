import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder } from '../storage/durable.ts';

/**
 * The secret that signs the tokens, made once and kept in a file only the server's user may read. Written whole beside
 * its place and linked into it, so that of two first starts one wins and no start reads half a secret.
 */
export async function keptSecret(dataDir: string): Promise<string> {
  const path = join(dataDir, 'jwt-secret');
  const existing = await readFile(path, 'utf8').catch(() => '');
  if (existing.trim().length >= 32) return existing.trim();

  await mkdir(dataDir, { recursive: true });
  const draft = `${path}.${randomBytes(6).toString('hex')}`;
  const file = await open(draft, 'wx', 0o600);
  try {
    await file.writeFile(`${randomBytes(48).toString('base64url')}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    if (existing !== '') await rm(path);
    await link(draft, path);
    await syncFolder(dataDir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return (await readFile(path, 'utf8')).trim();
}
