/** What owners send and get. */
import { hashNewPassword } from '../auth/password/password-rules.ts';
import type { NewShare, Share, ShareChange } from '../contract.ts';
import { InvalidRequest, NotFound } from '../errors.ts';
import { readEnd } from '../gallery/expiry-change.ts';
import { endOf, hasEnded } from '../images/expiry/expiry.ts';
import { oneLine } from '../lib/one-line.ts';
import { pathOf, shortName } from './addresses.ts';
import type { ListedShare, ShareChanges } from './queries.ts';

const LONGEST = 100;

/** @param what has the name @returns the name as stored: one line, trimmed @throws InvalidRequest */
export function shareName(sent: string, what = 'share'): string {
  const name = oneLine(sent);
  const length = Array.from(name).length;
  if (length === 0) throw new InvalidRequest(`The ${what} needs a name: visitors see it as the title.`);
  if (length > LONGEST) throw new InvalidRequest(`The name of a ${what} has at most ${LONGEST} characters.`);
  return name;
}

type Sent = Omit<NewShare | ShareChange, 'name' | 'password'>;

const whereGiven = <T>(key: string, value: T | undefined) => (value === undefined ? {} : { [key]: value });

/** The columns of the given options; the others stay. @throws InvalidRequest */
export function readOptions({ originals, details, download, guessable, short_name, ...end }: Sent): ShareChanges {
  return {
    ...whereGiven('originals', originals),
    ...whereGiven('details', details),
    ...whereGiven('download', download),
    ...whereGiven('guessable', guessable),
    ...whereGiven('shortName', typeof short_name === 'string' ? shortName(short_name) : short_name),
    ...whereGiven('expiresAt', readEnd(end)),
  };
}

/** @param sent null removes the password @throws CommonPassword, PasswordIsName, ServerBusy */
export async function passwordChange(
  sent: string | null | undefined,
  owner: { username: string; email: string },
): Promise<{ passwordHash?: string | null }> {
  if (sent === undefined) return {};
  return { passwordHash: sent === null ? null : await hashNewPassword(sent, owner) };
}

export const noSuchShare = () => new NotFound('There is no such share. It may have ended already.');

export const answerOf = (row: ListedShare, origin: string): Share => ({
  id: row.id,
  name: row.name,
  url: origin + pathOf(row.shortName ?? row.key),
  album: row.albumId,
  count: row.count,
  short_name: row.shortName,
  guessable: row.guessable,
  protected: row.passwordHash !== null,
  originals: row.originals,
  details: row.details,
  download: row.download,
  expires_at: row.expiresAt?.toISOString() ?? null,
  expired: hasEnded(endOf(row)),
  views: row.views,
  created_at: row.createdAt.toISOString(),
});
