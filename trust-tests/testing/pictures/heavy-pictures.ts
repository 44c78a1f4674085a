/** Generates small files that need much memory and time to decode. */
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { SentFile } from '../../../server/testing/form.ts';
import { pngChunk, withChunks } from './bombs.ts';

/** Makes a PNG of a few pixels with that many deflated texts of 8 MB. */
export async function pngWithTexts(texts: number): Promise<SentFile> {
  const png = await sharp({ create: { width: 64, height: 48, channels: 3, background: '#a63' } })
    .png()
    .toBuffer();
  const text = pngChunk(
    'zTXt',
    Buffer.concat([Buffer.from('Comment\0\0', 'latin1'), deflateSync(Buffer.alloc(8e6, 'a'))]),
  );
  return { name: 'texts.png', bytes: withChunks(png, Array<Buffer>(texts).fill(text)) };
}

/** Makes an interlaced 16-bit PNG, which is decoded completely in memory: at least 8 bytes a pixel. */
export async function interlacedPng(side: number): Promise<SentFile> {
  const image = sharp({ create: { width: side, height: side, channels: 4, background: '#36a8' } });
  return { name: 'interlaced.png', bytes: await image.toColourspace('rgb16').png({ progressive: true }).toBuffer() };
}
