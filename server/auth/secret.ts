import { createHmac, randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { syncFolder } from '../storage/durable.ts';

/** Kept in DATA_DIR. @returns an empty text if there is none yet */
const readSecret = async (dataDir: string): Promise<string> =>
  (await readFile(join(dataDir, 'jwt-secret'), 'utf8').catch(() => '')).trim();

/** The secret with which a server of this configuration signs. @returns undefined if it has none before its first start */
export async function knownSecret({
  jwtSecret,
  dataDir,
}: Pick<Config, 'jwtSecret' | 'dataDir'>): Promise<string | undefined> {
  return jwtSecret ?? ((await readSecret(dataDir)) || undefined);
}

/**
 * Returns the secret that signs tokens, creating it at the first start, readable only by the server's user. It is written
 * to a draft and then linked, so that of two first starts one wins and neither reads half a secret.
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
  return readSecret(dataDir);
}

/** Topic of the signing secret in the process registry (database/process-registry.ts). */
const topic = 7_346_202;

/** 31 bits that differ between secrets and reveal nothing about them. */
const printOf = (secret: string): number =>
  createHmac('sha256', secret).update('the print of what signs the tokens').digest().readUInt32BE() >>> 1;

/** Logs an error if another live process of the same database signs with another secret. */
export async function compareSecrets(
  secret: string,
  processRegistry: { announce(topic: number, value: number): Promise<number> },
  log: { error(message: string): void },
): Promise<void> {
  if ((await processRegistry.announce(topic, printOf(secret))) === 1) return;
  log.error(
    'another server of this database signs sessions with another JWT_SECRET: a login at one is not valid at the other; ' +
      'give all of them the same JWT_SECRET',
  );
}
