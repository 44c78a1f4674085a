import { mkdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const BEAT_MS = 500;
const ABANDONED_MS = 5_000;

/**
 * Runs `work` under a lock between processes: a folder whose time is renewed while the lock is held. A lock that a killed
 * build left is taken over after five seconds.
 * @template T
 * @param {string} path
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(path, work) {
  while (!taken(path)) await sleep(50);
  const beat = setInterval(() => renew(path), BEAT_MS);
  const release = () => rmSync(path, { recursive: true, force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(beat);
    process.off('exit', release);
    release();
  }
}

function taken(path) {
  try {
    mkdirSync(path);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat !== undefined && Date.now() - stat.mtimeMs > ABANDONED_MS) rmSync(path, { recursive: true, force: true });
  return false;
}

function renew(path) {
  const now = new Date();
  try {
    utimesSync(path, now, now);
  } catch {
    // Another build took the lock while this process was stopped. Both end in renames, so neither harms the other.
  }
}
