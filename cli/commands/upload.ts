import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { StoredImage } from '../../server/contract.ts';
import { findAlbum } from '../albums.ts';
import type { Connection } from '../api/http.ts';
import { isFinal } from '../api/refusal.ts';
import { bytesSource, largestForm, type Source, uploadFile, type Wishes } from '../api/upload.ts';
import { copyText } from '../clipboard.ts';
import type { Command } from '../command.ts';
import { reasonOf } from '../files.ts';
import { formats, inFormat } from '../formats.ts';
import { bytesOf, readable, typedPath } from '../paths.ts';
import { createProgress, printable, terminalOf } from '../progress.ts';
import { connect } from '../settings.ts';
import { oneOf, readArgs, UsageError } from '../usage.ts';

const summary = 'upload pictures and print their links';

const help = `Uploads pictures and prints one link a line.

Usage: gallery upload [--album NAME|ID] [--expires TIME] [--copy FORMAT] FILE...

  FILE             a picture; "-" reads one from standard input
  --album NAME|ID  put the pictures into this album, which must exist
  --expires TIME   delete the pictures after this time, from 5m to 5y: 12h, 7d, 2w
  --copy FORMAT    print and copy link, md, html or bbcode

The token needs the scope images:upload, for an album by its name also albums:read.`;

/** Minutes; a year has 365 days, as on the server. */
const units: Record<string, number> = { m: 1, h: 60, d: 1440, w: 7 * 1440, y: 365 * 1440 };

function checkExpires(text: string): void {
  const [, count, unit = ''] = /^([1-9]\d{0,6})([mhdwy])$/.exec(text) ?? [];
  const minutes = Number(count) * (units[unit] ?? 0);
  if (minutes >= 5 && minutes <= 5 * 365 * 1440) return;
  throw new UsageError('--expires is a time from 5m to 5y, such as 12h or 7d.');
}

async function sourceAt(argument: string): Promise<Source> {
  if (argument === '-') {
    const bytes = await buffer(process.stdin);
    if (bytes.length === 0) throw new Error('Standard input is empty.');
    return bytesSource('', bytes);
  }
  const typed = await typedPath(argument);
  const path = bytesOf(typed);
  const found = await stat(path);
  if (found.isDirectory()) throw new Error('It is a folder. Use "gallery push".');
  const name = readable(basename(typed));
  // Pipes and devices have no size.
  if (!found.isFile() || found.size <= largestForm) return bytesSource(name, await readFile(path));
  return {
    name,
    size: found.size,
    read: (start, end) => createReadStream(path, { start, end: end - 1, highWaterMark: 2 ** 18 }),
  };
}

/** @throws Refused, Unreachable; errors of the file system */
async function uploadOne(connection: Connection, path: string, wishes: Wishes): Promise<StoredImage> {
  const source = await sourceAt(path);
  const progress = createProgress({ files: 1, bytes: source.size }, terminalOf(process.stderr));
  let counted = 0;
  const hooks = {
    onProgress(sent: number) {
      progress.advance(sent - counted);
      counted = sent;
    },
    onUrl: () => {},
    check: async () => {},
  };
  try {
    return await uploadFile({ ...connection, onWait: progress.wait }, source, { key: randomUUID(), ...wishes }, hooks);
  } finally {
    progress.end();
  }
}

async function run(args: string[]): Promise<number> {
  const { values, positionals: paths } = readArgs(args, {
    album: { type: 'string' },
    expires: { type: 'string' },
    copy: { type: 'string' },
  });
  const format = values.copy === undefined ? 'link' : oneOf('--copy', values.copy, formats);
  const { expires } = values;
  if (expires !== undefined) checkExpires(expires);
  if (paths.length === 0) throw new UsageError('Name a file, or "-" for standard input.');
  if (paths.filter((path) => path === '-').length > 1) throw new UsageError('Standard input can be read only once.');
  const connection = connect();
  const album = values.album === undefined ? undefined : await findAlbum(connection, values.album);
  const lines: string[] = [];
  let failed = 0;
  for (const [index, path] of paths.entries()) {
    try {
      const image = await uploadOne(connection, path, { album, expires });
      const line = inFormat(format, image);
      console.log(line);
      lines.push(line);
    } catch (error) {
      failed += 1;
      console.error(printable(`gallery: ${path}: ${reasonOf(error)}`));
      if (!isFinal(error)) continue;
      for (const rest of paths.slice(index + 1)) console.error(printable(`gallery: ${rest}: Not sent.`));
      break;
    }
  }
  if (values.copy !== undefined && lines.length > 0 && !(await copyText(lines.join('\n'))))
    console.error('gallery: Nothing was copied, because no clipboard was found. Copy the lines above yourself.');
  return failed > 0 ? 1 : 0;
}

export const upload: Command = { summary, help, run };
