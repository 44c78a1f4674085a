import { access, constants, mkdir } from 'node:fs/promises';
import { ConfigError } from '../config.ts';

/** @throws ConfigError where the folder can neither be made nor written */
export async function ensureDataDir(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new ConfigError(`DATA_DIR must be a folder the server can write, but was "${path}" (${reason})`);
  }
}
