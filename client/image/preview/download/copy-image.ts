import type { Image } from '../../../../server/contract.ts';
import { isDrawn } from '../zoom.ts';

/** `insecure`: browsers allow copying pictures only in a secure context, and the page came by plain HTTP. */
export type CopyRefusal = 'insecure' | 'refused';

/** Converts the picture to PNG: every browser accepts PNG on the clipboard, and some accept nothing else. */
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

/** Copies the picture to the clipboard: the original if browsers can draw it, else the screen rendition. */
export async function copyImage(image: Image): Promise<CopyRefusal | undefined> {
  if (!isSecureContext || navigator.clipboard?.write === undefined || typeof ClipboardItem === 'undefined') {
    return isSecureContext ? 'refused' : 'insecure';
  }
  try {
    const url = isDrawn(image) ? image.url : image.screen_url;
    // Safari requires the write to start in the same task as the click.
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': asPng(url) })]);
    return undefined;
  } catch {
    return 'refused';
  }
}
