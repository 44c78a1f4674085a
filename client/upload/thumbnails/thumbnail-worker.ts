/** Decodes and shrinks pictures off the main thread, and applies the camera's orientation. */
import type { ThumbnailAnswer, ThumbnailQuestion } from './thumbnails.ts';

const WIDTH = 360;
const HEIGHT = 270;

/** The smallest size that still covers the tile; never larger than the original. */
function coveringSize(width: number, height: number) {
  const scale = Math.min(1, Math.max(WIDTH / width, HEIGHT / height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

async function shrink(file: File): Promise<Blob> {
  // Chromium ignores the orientation if it resizes while decoding: decode first, then draw small.
  const bitmap = await createImageBitmap(file);
  try {
    const { width, height } = coveringSize(bitmap.width, bitmap.height);
    // A very long picture is cropped to its middle, which is all that the tile shows.
    const canvas = new OffscreenCanvas(Math.min(width, WIDTH * 2), Math.min(height, HEIGHT * 2));
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('no canvas');
    context.imageSmoothingQuality = 'medium';
    context.drawImage(bitmap, (canvas.width - width) / 2, (canvas.height - height) / 2, width, height);
    return await canvas.convertToBlob({ type: 'image/webp', quality: 0.8 });
  } finally {
    bitmap.close();
  }
}

addEventListener('message', async ({ data }: MessageEvent<ThumbnailQuestion>) => {
  const picture = await shrink(data.file).catch(() => null);
  postMessage({ id: data.id, picture } satisfies ThumbnailAnswer);
});
