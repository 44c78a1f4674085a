/** What the form of a share offers, and what it sends. */
import type { Share, ShareChange } from '../../../server/contract.ts';
import { type ChosenEnd, changeOf, currentEnd, isSame } from '../expiry/expiry-choice.ts';

export interface ShareChoice {
  readonly name: string;
  /** Empty for none, or to keep the current one. */
  readonly password: string;
  readonly removesPassword: boolean;
  readonly end: ChosenEnd;
  readonly originals: boolean;
  readonly details: boolean;
  readonly download: boolean;
  /** Empty for none. */
  readonly shortName: string;
  readonly guessable: boolean;
}

/** What shares and collect links have in common. */
export type Access = Pick<ShareChoice, 'password' | 'removesPassword' | 'end'>;
type Existing = Pick<Share, 'protected' | 'expires_at'>;

export type SwitchName = 'originals' | 'details' | 'download';

export const switches: readonly SwitchName[] = ['originals', 'details', 'download'];

/** A new share shows everything, without a password, until its owner ends it. */
export const newChoice = (name: string, now: number): ShareChoice => ({
  ...{ name, password: '', removesPassword: false, end: currentEnd(null, now) },
  ...{ originals: true, details: true, download: true, shortName: '', guessable: false },
});

export const choiceOf = (share: Share, now: number): ShareChoice => ({
  ...newChoice(share.name, now),
  end: currentEnd(share.expires_at, now),
  originals: share.originals,
  details: share.details,
  download: share.download,
  shortName: share.short_name ?? '',
  guessable: share.guessable,
});

/** Originals can contain names, so a share without details has none. */
export const hasOriginals = ({ originals, details }: ShareChoice): boolean => originals && details;

/** Whether visitors will need a password. @param before the share that is edited */
export const isProtected = ({ password, removesPassword }: Access, before: Existing | undefined): boolean =>
  password !== '' || (before?.protected === true && !removesPassword);

/** Why a choice is not sent. */
export type Missing = 'end' | 'length' | 'consent';

/** A short name never has the length of a key. */
const KEY_LENGTH = 22;

/** What the server would refuse, where its answer would say less. */
export function missingIn(choice: ShareChoice, before: Share | undefined, now: number): Missing | undefined {
  const shortName = choice.shortName.trim();
  if (isEndMissing(choice, before, now)) return 'end';
  if (shortName.length === KEY_LENGTH) return 'length';
  return shortName !== '' && !choice.guessable && !isProtected(choice, before) ? 'consent' : undefined;
}

/** Whether the chosen end is incomplete or out of range. */
export const isEndMissing = (choice: Access, before: Existing | undefined, now: number): boolean =>
  changeOf(choice.end, now) === undefined && !isKept(choice, before);

/** Whether the end stays what it was: it may have passed. */
const isKept = ({ end }: Access, before: Existing | undefined): boolean =>
  before !== undefined && isSame(end, currentEnd(before.expires_at, 0));

/** The end and the password to send. @param before the link that is edited */
export function accessOf(choice: Access, before: Existing | undefined, now: number) {
  const { password, removesPassword, end } = choice;
  return {
    ...(isKept(choice, before) ? {} : changeOf(end, now)),
    ...(password === '' ? (removesPassword ? { password: null } : {}) : { password }),
  };
}

/** What to send, to create a share or to change it. @param before the share that is edited */
export function optionsOf(choice: ShareChoice, before: Share | undefined, now: number): ShareChange & { name: string } {
  const { name, details, download } = choice;
  const shortName = choice.shortName.trim();
  return {
    ...{ name, originals: hasOriginals(choice), details, download },
    short_name: shortName === '' ? null : shortName,
    guessable: shortName !== '' && choice.guessable && !isProtected(choice, before),
    ...accessOf(choice, before, now),
  };
}
