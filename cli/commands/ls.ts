import { findAlbum } from '../albums.ts';
import { allImages } from '../api/calls.ts';
import type { Command } from '../command.ts';
import { connect } from '../settings.ts';
import { readArgs, UsageError } from '../usage.ts';

const summary = 'list pictures';

const help = `Lists pictures, newest first: id, time of upload, bytes, link and name, separated by tabs.

Usage: gallery ls [--album NAME|ID] [--limit N] [--json] [SEARCH...]

  SEARCH           words and operators as on the page, such as type:png or 'size:>5mb';
                   put words with < or > into quotes, or the shell takes a file name;
                   dates are days of this computer's time zone
  --album NAME|ID  list this album, in its order
  --limit N        list at most N pictures (default: 100)
  --json           print each picture as one line of JSON

The token needs the scope images:read, for an album albums:read.`;

/** As on the page: the shell has removed the quotes of album:"Summer trip". @throws UsageError */
function searchOf(words: string[]): string {
  // The shell has taken what followed: in size:>5mb it is the name of a file.
  if (words.some((word) => /^size:[<>]?=?$/i.test(word)))
    throw new UsageError(`"size:" has no value. Put it into quotes, such as 'size:>5mb'.`);
  return words.map((word) => word.replace(/^(album:)([^"]*\s[^"]*)$/i, '$1"$2"')).join(' ');
}

async function run(args: string[]): Promise<number> {
  const { values, positionals } = readArgs(args, {
    album: { type: 'string' },
    limit: { type: 'string', default: '100' },
    json: { type: 'boolean', default: false },
  });
  if (!/^[1-9]\d{0,8}$/.test(values.limit)) throw new UsageError('--limit is a whole number from 1.');
  if (values.album !== undefined && positionals.length > 0) throw new UsageError('Search or name an album, not both.');
  const search = searchOf(positionals);
  const connection = connect();
  const albumId = values.album === undefined ? undefined : await findAlbum(connection, values.album);
  let left = Number(values.limit);
  for await (const image of allImages(connection, { search, albumId })) {
    const { id, uploaded_at, size, url, filename } = image;
    console.log(values.json ? JSON.stringify(image) : [id, uploaded_at, size, url, filename].join('\t'));
    left -= 1;
    if (left === 0) break;
  }
  return 0;
}

export const ls: Command = { summary, help, run };
