/** What the form of a collect link offers, and what it sends. */
import type { CollectLink, CollectLinkChange } from '../../server/contract.ts';
import { currentEnd } from '../image/expiry/expiry-choice.ts';
import { type Access, accessOf } from '../image/shares/share-choice.ts';

export type SwitchName = 'open' | 'asks_name' | 'look_first';

export const switches: readonly SwitchName[] = ['look_first', 'asks_name', 'open'];

export interface CollectChoice extends Access, Readonly<Record<SwitchName, boolean>> {
  readonly name: string;
  /** As typed. */
  readonly maxFiles: string;
  readonly maxGigabytes: string;
}

const GIGABYTE = 1_000_000_000;

/** Images wait for the owner, and the link ends in a month: a forgotten link does not stay open. */
export const newChoice = (name: string, now: number): CollectChoice => ({
  ...{ name, password: '', removesPassword: false, end: { ...currentEnd(null, now), choice: '30d' } },
  ...{ look_first: true, asks_name: false, open: false, maxFiles: '500', maxGigabytes: '10' },
});

export const choiceOf = (link: CollectLink, now: number): CollectChoice => ({
  ...{ name: link.name, password: '', removesPassword: false, end: currentEnd(link.expires_at, now) },
  ...{ look_first: link.look_first, asks_name: link.asks_name, open: link.open },
  ...{ maxFiles: String(link.max_files), maxGigabytes: String(link.max_bytes / GIGABYTE) },
});

/** What to send, to create a link or to change it. @param before the link that is edited */
export function optionsOf(
  choice: CollectChoice,
  before: CollectLink | undefined,
  now: number,
): CollectLinkChange & { name: string } {
  const { name, look_first, asks_name, open, maxFiles, maxGigabytes } = choice;
  return {
    ...{ name, look_first, asks_name, open },
    max_files: Number(maxFiles),
    max_bytes: Math.round(Number(maxGigabytes) * GIGABYTE),
    ...accessOf(choice, before, now),
  };
}
