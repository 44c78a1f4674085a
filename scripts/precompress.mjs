/**
 * Writes brotli and gzip versions of a built page's text files, which the server sends unchanged (server/http/page/client.ts).
 * Each is compressed once at the highest level, instead of at each request at a low one.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** Pictures and fonts are already compressed. */
const texts = /\.(?:js|css|html|svg|webmanifest)$/;

const forms = {
  '.br': (text) =>
    brotliCompressSync(text, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: text.length },
    }),
  '.gz': (text) => gzipSync(text, { level: 9 }),
};

/** @param {string} folder */
export function precompress(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const file of files.filter((entry) => entry.isFile() && texts.test(entry.name))) {
    const place = path.join(file.parentPath ?? file.path, file.name);
    const text = readFileSync(place);
    for (const [extension, compressed] of Object.entries(forms)) {
      const bytes = compressed(text);
      if (bytes.length < text.length) writeFileSync(place + extension, bytes);
    }
  }
}

precompress(path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '../build/client')));
