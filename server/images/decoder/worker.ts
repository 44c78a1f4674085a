/** The process in which pictures are decoded, one at a time. Its parent is worker-process.ts. */
import { readFile } from 'node:fs/promises';
import { setPriority } from 'node:os';
import { Refusal, refusalOf } from './failure.ts';
import { type Format, inspect } from './inspect.ts';
import { type DecodeLimits, LIGHT } from './limits.ts';
import type { FromWorker, Outcome, ToWorker } from './messages.ts';
import { render } from './renditions.ts';

const TYPES: Record<Format, { contentType: string; extension: string }> = {
  jpeg: { contentType: 'image/jpeg', extension: 'jpg' },
  png: { contentType: 'image/png', extension: 'png' },
  webp: { contentType: 'image/webp', extension: 'webp' },
  gif: { contentType: 'image/gif', extension: 'gif' },
  avif: { contentType: 'image/avif', extension: 'avif' },
  tiff: { contentType: 'image/tiff', extension: 'tiff' },
  svg: { contentType: 'image/svg+xml', extension: 'svg' },
  heic: { contentType: 'image/heic', extension: 'heic' },
};

let granted = () => {};
const send = (message: FromWorker) => process.send?.(message);

/** Waits until the pool has room for the bytes that a heavy picture is expected to hold. */
function grant(memory: number): Promise<void> {
  if (memory < LIGHT) return Promise.resolve();
  return new Promise((resolve) => {
    granted = resolve;
    send({ type: 'need', memory });
  });
}

async function decode(bytes: Buffer, limits: DecodeLimits): Promise<Outcome> {
  try {
    const picture = await inspect(bytes, limits);
    await grant(picture.memory);
    return { ok: true, image: { ...TYPES[picture.format], ...(await render(picture, limits)) } };
  } catch (error) {
    // What is no refusal here is a parser that ran off the end of hostile bytes.
    return { ok: false, failure: (error instanceof Refusal ? error : refusalOf(error)).failure };
  }
}

async function run(path: string, limits: DecodeLimits): Promise<void> {
  try {
    send({ type: 'done', outcome: await decode(await readFile(path), limits) });
  } catch (error) {
    send({ type: 'fault', message: error instanceof Error ? error.message : String(error) });
  }
}

process.on('message', (message: ToWorker) => {
  if (message.type === 'grant') granted();
  else void run(message.path, message.limits);
});
process.on('disconnect', () => process.exit(0));
// A Ctrl-C reaches the whole process group; the parent decides when its workers end.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
try {
  setPriority(5);
} catch {
  // the system does not allow it: no harm
}
send({ type: 'ready' });
