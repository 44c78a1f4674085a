/** Where the client keeps its files, how it writes them, and what errors of the file system mean. */
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

const isWindows = process.platform === 'win32';

/** The variable of the system, or else the folder below the user's. The XDG rules ignore relative paths. */
function folderOf(variable: string, ...fallback: string[]): string {
  const value = process.env[variable];
  return join(value && (isWindows || value.startsWith('/')) ? value : join(homedir(), ...fallback), 'gallery');
}

/** The login: `~/.config/gallery`. */
export const configFolder = (): string =>
  isWindows ? folderOf('APPDATA', 'AppData', 'Roaming') : folderOf('XDG_CONFIG_HOME', '.config');

/** The journals of `push`: `~/.local/state/gallery`. */
export const stateFolder = (): string =>
  isWindows ? folderOf('LOCALAPPDATA', 'AppData', 'Local') : folderOf('XDG_STATE_HOME', '.local', 'state');

/** Replaces a file that only this user can read. After a crash or a power cut it has either its old or its new text. */
export function replaceFile(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.${process.pid}.new`;
  rmSync(temporary, { force: true });
  const file = openSync(temporary, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}

const reasons: Record<string, string> = {
  ENOENT: 'There is no such file.',
  EACCES: 'You may not read it.',
  EPERM: 'You may not read it.',
  ENOTDIR: 'It is not a folder.',
};

/** A sentence for an error of the file system; other errors have one. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return (code && reasons[code]) || message;
}
