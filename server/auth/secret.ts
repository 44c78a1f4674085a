import { createHmac, randomBytes } from 'node:crypto';
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

/** Of all that processes agree upon (database/process-registry.ts): what signs the tokens. */
const topic = 7_346_202;

/** 31 bits that tell two secrets apart, and nothing of either to who has not got the other. */
const printOf = (secret: string): number =>
  createHmac('sha256', secret).update('the print of what signs the tokens').digest().readUInt32BE() >>> 1;

/** Tells in the log where another living process of the same database signs with another secret. */
export async function compareSecrets(
  secret: string,
  presence: { agree(topic: number, value: number): Promise<number> },
  log: { error(message: string): void },
): Promise<void> {
  if ((await presence.agree(topic, printOf(secret))) === 1) return;
  log.error(
    'another server of this database signs sessions with another JWT_SECRET: whoever logs in at one is logged out at the other; ' +
      'give all of them the same JWT_SECRET',
  );
}
