/** Pictures that are small and cost much memory and time, made on the spot. */
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import type { SentFile } from '../../server/testing/form.ts';
import { pngChunk, withChunks } from './bombs.ts';

/** A PNG of a few pixels with that many texts of 8 MB, deflated. */
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

/** An interlaced PNG of 16 bits, which is decoded whole in memory: 8 bytes a pixel, or more. */
export async function interlacedPng(side: number): Promise<SentFile> {
  const image = sharp({ create: { width: side, height: side, channels: 4, background: '#36a8' } });
  return { name: 'interlaced.png', bytes: await image.toColourspace('rgb16').png({ progressive: true }).toBuffer() };
}
