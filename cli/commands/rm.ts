import { isId } from '../albums.ts';
import { allImages, deleteImage } from '../api/calls.ts';
import type { Connection } from '../api/http.ts';
import { isFinal } from '../api/refusal.ts';
import type { Command } from '../command.ts';
import { printable } from '../progress.ts';
import { connect } from '../settings.ts';
import { readArgs, UsageError } from '../usage.ts';

const summary = 'delete pictures';

const help = `Deletes pictures for ever.

Usage: gallery rm ID|LINK...

  ID    as "gallery ls" prints it
  LINK  as "gallery upload" prints it

The token needs the scope images:delete, for links also images:read.`;

function pathIn(link: string): string | undefined {
  try {
    return new URL(link).pathname;
  } catch {
    return undefined;
  }
}

/** @returns the ids of the images with these links, by link. Reads the list, because no call finds an image by its link. */
async function idsOf(connection: Connection, links: string[]): Promise<Map<string, string>> {
  const wanted = new Map(links.map((link) => [pathIn(link), link]));
  const ids = new Map<string, string>();
  for await (const { id, url } of allImages(connection)) {
    const link = wanted.get(pathIn(url));
    if (link !== undefined) ids.set(link, id);
    if (ids.size === wanted.size) break;
  }
  return ids;
}

async function run(args: string[]): Promise<number> {
  const { positionals: images } = readArgs(args, {});
  if (images.length === 0) throw new UsageError('Name an id or a link.');
  const links = images.filter((image) => !isId(image));
  const wrong = links.find((link) => pathIn(link) === undefined);
  if (wrong !== undefined) throw new UsageError(`"${wrong}" is neither an id nor a link.`);
  const connection = connect();
  const ids = links.length > 0 ? await idsOf(connection, links) : new Map<string, string>();
  let failed = 0;
  for (const [index, image] of images.entries()) {
    try {
      const id = isId(image) ? image : ids.get(image);
      if (id === undefined) throw new Error('You have no picture with this link.');
      await deleteImage(connection, id);
    } catch (error) {
      failed += 1;
      console.error(printable(`gallery: ${image}: ${(error as Error).message}`));
      if (!isFinal(error)) continue;
      for (const rest of images.slice(index + 1)) console.error(printable(`gallery: ${rest}: Not deleted.`));
      break;
    }
  }
  return failed > 0 ? 1 : 0;
}

export const rm: Command = { summary, help, run };
