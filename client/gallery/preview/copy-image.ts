import type { Image } from '../../../server/contract.ts';
import { isDrawn } from './zoom.ts';

/** `insecure`: the browser lets no page copy pictures that came by plain http. */
export type CopyRefusal = 'insecure' | 'refused';

/** Every browser takes a PNG, and some nothing else. */
async function asPng(url: string): Promise<Blob> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`the picture was refused: ${answer.status}`);
  const bytes = await answer.blob();
  if (bytes.type === 'image/png') return bytes;
  const picture = document.createElement('img');
  const source = URL.createObjectURL(bytes);
  try {
    picture.src = source;
    await picture.decode();
    const canvas = document.createElement('canvas');
    canvas.width = picture.naturalWidth;
    canvas.height = picture.naturalHeight;
    canvas.getContext('2d')?.drawImage(picture, 0, 0);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((png) => (png ? resolve(png) : reject(new Error('no PNG was made'))), 'image/png');
    });
  } finally {
    URL.revokeObjectURL(source);
  }
}

/** Puts the picture itself on the clipboard: the original where a browser draws it, else its screen size. */
export async function copyImage(image: Image): Promise<CopyRefusal | undefined> {
  if (!isSecureContext || navigator.clipboard?.write === undefined || typeof ClipboardItem === 'undefined') {
    return isSecureContext ? 'refused' : 'insecure';
  }
  try {
    const url = isDrawn(image) ? image.url : image.screen_url;
    // Begun in the same turn as the press: Safari asks for that.
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': asPng(url) })]);
    return undefined;
  } catch {
    return 'refused';
  }
}
