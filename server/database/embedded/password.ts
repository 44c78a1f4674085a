import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../start-error.ts';

/** Readable only by the server's user; not handed to the cluster's user (launcher.ts). */
export const PASSWORD_FILE = 'password';

export function readPassword(folder: string): string | undefined {
  try {
    return readFileSync(join(folder, PASSWORD_FILE), 'utf8').trim() || undefined;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The password in the folder, created at the first start. The caller owns the folder. */
export function ensurePassword(folder: string): string {
  const stored = readPassword(folder);
  if (stored !== undefined) return stored;
  const password = randomBytes(24).toString('base64url');
  writeDurably(folder, PASSWORD_FILE, `${password}\n`);
  return password;
}

/** Replaces the file atomically: after a power cut it has the old text or the new one. */
export function writeDurably(folder: string, name: string, text: string): void {
  const path = join(folder, name);
  const draft = `${path}.new`;
  const file = openSync(draft, 'w', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(draft, path);
  syncFolder(folder);
}

export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const handle = openSync(folder, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

/** Identifies the password without revealing it: it has 192 random bits. */
export const fingerprint = (password: string): string =>
  createHash('sha256').update(password).digest('hex').slice(0, 16);

const ITERATIONS = 4096;

/** What Postgres stores instead of the password (RFC 5803), so that no statement contains the password. */
export function scramVerifier(password: string, salt = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, ITERATIONS, 32, 'sha256');
  const key = (name: string) => createHmac('sha256', salted).update(name).digest();
  const stored = createHash('sha256').update(key('Client Key')).digest('base64');
  const server = key('Server Key').toString('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${server}`;
}
