import { deflateSync } from 'node:zlib';
import { pngChunk } from '../formats/png-chunk.ts';

export function resource(id: number, content: Buffer): Buffer {
  const head = Buffer.from('8BIM\0\0\0\0\0\0\0\0', 'latin1');
  head.writeUInt16BE(id, 4);
  head.writeUInt32BE(content.length, 8);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

export function segment(marker: number, ...parts: (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
}

/** A JPEG with segments inserted after its first two bytes, and with a tail. */
export const withSegments = (jpeg: Buffer, segments: Buffer[], tail: Buffer = Buffer.alloc(0)): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2), tail]);

export function chunk(type: string, ...parts: (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'utf8') : part)));
  return pngChunk(type, content);
}

export const withChunks = (png: Buffer, ...chunks: Buffer[]): Buffer =>
  Buffer.concat([png.subarray(0, 33), ...chunks, png.subarray(33)]);

export const packed = (content: Buffer | string) => deflateSync(content);

/** Metadata as old programs write it into PNG texts. */
export const rawProfile = (name: string, content: Buffer): string =>
  `\n${name}\n${String(content.length).padStart(8)}\n${content.toString('hex').replace(/(.{72})/g, '$1\n')}\n`;

export function riff(type: string, content: Buffer): Buffer {
  const head = Buffer.from(`${type}\0\0\0\0`, 'latin1');
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

export function withRiffChunks(webp: Buffer, ...chunks: Buffer[]): Buffer {
  const whole = Buffer.concat([webp, ...chunks]);
  whole.writeUInt32LE(whole.length - 8, 4);
  return whole;
}

export function box(type: string, ...parts: (Buffer | string)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : part)));
  const head = Buffer.from(`\0\0\0\0${type}`, 'latin1');
  head.writeUInt32BE(content.length + 8, 0);
  return Buffer.concat([head, content]);
}

/** An XMP packet in a GIF's application block, with the trailer for readers of sub-blocks. */
export function gifXmp(packet: string): Buffer {
  const ramp = Buffer.from([1, ...Array.from({ length: 256 }, (_, index) => 255 - index), 0]);
  return Buffer.concat([Buffer.from('\x21\xff\x0bXMP DataXMP', 'latin1'), Buffer.from(packet), ramp]);
}

export function gifBlock(label: number, head: string, content: string): Buffer {
  const parts = content.match(/[\s\S]{1,250}/g) ?? [];
  const blocks = parts.flatMap((part) => [Buffer.from([Buffer.byteLength(part)]), Buffer.from(part)]);
  return Buffer.concat([Buffer.from([0x21, label]), Buffer.from(head, 'latin1'), ...blocks, Buffer.from([0])]);
}
