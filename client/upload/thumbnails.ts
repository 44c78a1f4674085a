/** Small pictures of pending files, made off the main thread, two at a time. */
const WIDTH = 360;
const HEIGHT = 270;
/** A larger file is not read for a preview: decoding needs its bytes and its pixels in memory. */
const MAX_BYTES = 128_000_000;

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
 * An object URL of a picture at thumbnail size, upright; null for what the browser cannot decode. The caller revokes it.
 * Rejects with the signal's reason when the tile has gone before its turn.
 */
export async function makeThumbnail(file: File, signal: AbortSignal): Promise<string | null> {
  if (!mayBePicture(file)) return null;
  // Vector pictures have no pixels to make a bitmap from, and are small as they are.
  if (file.type === 'image/svg+xml') return URL.createObjectURL(file);
  return inTurn(async () => {
    signal.throwIfAborted();
    try {
      return URL.createObjectURL(await shrink(file));
    } catch {
      return null;
    }
  });
}

async function shrink(file: File): Promise<Blob> {
  let bitmap = await createImageBitmap(file, { resizeWidth: WIDTH, resizeQuality: 'medium' });
  if (bitmap.height < HEIGHT / 2) {
    // A panorama fitted to the width would be a smear in its tile: fit its height instead, and let the tile crop the sides.
    bitmap.close();
    bitmap = await createImageBitmap(file, { resizeHeight: HEIGHT, resizeQuality: 'medium' });
  }
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(bitmap);
  return canvas.convertToBlob({ type: 'image/webp', quality: 0.8 });
}
