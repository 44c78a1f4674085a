import { validate as isUuid } from 'uuid';
import type { ImageRow } from '../../../../drizzle/schema.ts';
import type { Database } from '../../../database/connect.ts';
import { CommandFailed } from '../console/failures.ts';
import { counted } from '../console/size.ts';
import { printable } from '../console/table.ts';
import { findCopies, findElsewhere, findOwned, type OwnedImage } from './queries.ts';

export const imageArgument =
  'a link to the picture or to a preview of it, the key in that link, or the id of the picture';

/** @param text a link, with or without origin, query and fragment; its key; or the image's id @throws CommandFailed */
export function readImageName(text: string): { id: string } | { linkKey: string } {
  const wanted = text.trim();
  if (isUuid(wanted)) return { id: wanted.toLowerCase() };
  const linkKey =
    /(?:^|\/)i\/([\w-]{22})(?=[./?#]|$)/.exec(wanted)?.[1] ?? /^([\w-]{22})(?:\.\w{1,16})?$/.exec(wanted)?.[1];
  if (linkKey !== undefined) return { linkKey };
  if (/(?:^|\/)a\/[\w-]{22}(?=[/?#]|$)/.test(wanted)) {
    throw new CommandFailed('This is the link of an album. Open it, and give the link of one of its pictures.');
  }
  throw new CommandFailed(`This is neither a link to a picture nor an id: ${printable(JSON.stringify(text))}.`);
}

/** @throws CommandFailed if the image does not exist */
export async function imageNamed(db: Database, text: string): Promise<OwnedImage> {
  const found = await findOwned(db, readImageName(text));
  if (!found) throw new CommandFailed('No picture has this link or id. It may have been deleted already.');
  return found;
}

export const titleOf = ({ filename, id }: ImageRow): string => `${printable(JSON.stringify(filename))} (${id})`;

/** A line about the account's other images with the same bytes that are not hidden; undefined if there are none. */
export async function copiesLine(db: Database, image: ImageRow): Promise<string | undefined> {
  const open = (await findCopies(db, image)).filter(({ hiddenAt, waiting }) => hiddenAt === null || waiting);
  if (open.length === 0) return undefined;
  const ids = open.map(({ id }) => id).join(', ');
  return `${counted(open.length, 'other picture')} of this account with the same bytes ${open.length === 1 ? 'is' : 'are'} not hidden: ${ids}`;
}

/** A line about other accounts' images with the same bytes that are not hidden; undefined if there are none. */
export async function elsewhereLine(db: Database, image: ImageRow): Promise<string | undefined> {
  const open = await findElsewhere(db, image);
  if (open.length === 0) return undefined;
  const ids = open.map(({ id }) => id).join(', ');
  return `Other accounts have ${counted(open.length, 'picture')} with the same bytes, not hidden: ${ids}. Hide each one by its id.`;
}
