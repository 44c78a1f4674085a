import { closeSync, copyFileSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';

/** Postgres' log, opened for appending, so that it can be truncated while Postgres writes. */
export type ServerLog = { handle: number; path: string; tail(): string; close(): void };

const MAX_SIZE = 2 ** 20;
const SIZE_CHECK_INTERVAL = 3_600_000;

export function openLog(folder: string): ServerLog {
  const path = join(folder, 'postgres.log');
  const handle = openSync(path, 'a+', 0o600);
  rotate(handle, path);
  const start = fstatSync(handle).size;
  let isOpen = true;
  const timer = setInterval(() => rotate(handle, path), SIZE_CHECK_INTERVAL).unref();
  return {
    handle,
    path,
    tail: () => lastLines(handle, start),
    close: () => {
      clearInterval(timer);
      if (isOpen) closeSync(handle);
      isOpen = false;
    },
  };
}

function rotate(handle: number, path: string): void {
  if (fstatSync(handle).size <= MAX_SIZE) return;
  copyFileSync(path, `${path}.1`);
  ftruncateSync(handle, 0);
}

function lastLines(handle: number, start: number): string {
  const { size } = fstatSync(handle);
  const from = Math.max(Math.min(start, size), size - 4096);
  const buffer = Buffer.alloc(size - from);
  readSync(handle, buffer, 0, buffer.length, from);
  return buffer.toString('utf8').trim().split('\n').slice(-6).join('\n');
}
