import { access, constants, mkdir } from 'node:fs/promises';
import { ConfigError } from '../config/reading.ts';
import { ownerAdvice } from '../lib/owner-advice.ts';

/** @throws ConfigError if the folder cannot be created or written */
export async function ensureDataDir(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await access(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new ConfigError(
      `DATA_DIR must be a folder the server can write, but was "${path}" (${reason})${ownerAdvice(path, reason)}`,
    );
  }
}

/** Runs the work. @throws ConfigError, one line, if a file operation in it fails; otherwise what the work throws */
export async function belowDataDir<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, syscall } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    if (syscall === undefined || 'query' in (error as Error)) throw error;
    throw new ConfigError(
      `DATA_DIR must be a folder the server can write, but "${folder}" is not (${code})${ownerAdvice(folder, code)}`,
    );
  }
}
