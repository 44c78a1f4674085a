import { mkdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const BEAT_MS = 500;
const ABANDONED_MS = 5_000;

/**
 * Runs `work` while no other process does so under the same lock. The lock is a folder whose time is renewed while it
 * is held: one left behind by a killed build is taken over after five seconds, whatever its process id has become.
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
    // Taken over by another build while this process was stopped; both end in renames, so neither harms the other.
  }
}
