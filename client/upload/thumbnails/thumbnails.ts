/** Thumbnails of pending files, made by a worker, two at a time. */
import { workerAddress } from '../../lib/trusted-types.ts';
import { createAsker } from './thumbnail-requests.ts';
import workerUrl from './thumbnail-worker.ts?worker&url';

export interface ThumbnailQuestion {
  readonly id: number;
  readonly file: File;
}
export interface ThumbnailAnswer {
  readonly id: number;
  readonly picture: Blob | null;
}

/** Larger files get no preview: decoding holds their bytes and pixels in memory. */
const MAX_BYTES = 128_000_000;

const askWorker = createAsker(() => new Worker(workerAddress(workerUrl), { type: 'module' }));

let free = 2;
const queue: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (free > 0) free -= 1;
  else await new Promise<void>((resolve) => queue.push(resolve));
  try {
    return await work();
  } finally {
    const next = queue.shift();
    if (next) next();
    else free += 1;
  }
}

const mayBePicture = (file: File): boolean =>
  file.size > 0 && file.size <= MAX_BYTES && (file.type === '' || file.type.startsWith('image/'));

/**
 * Returns an object URL of an upright thumbnail, which the caller revokes; null if the browser cannot decode the file.
 * Rejects with the signal's reason if the tile is removed first.
 */
export async function makeThumbnail(file: File, signal: AbortSignal): Promise<string | null> {
  if (!mayBePicture(file)) return null;
  // Vector pictures cannot become a bitmap, and are small enough to show as they are.
  if (file.type === 'image/svg+xml') return URL.createObjectURL(file);
  return inTurn(async () => {
    signal.throwIfAborted();
    const picture = await askWorker(file);
    return picture === null ? null : URL.createObjectURL(picture);
  });
}
