/** The result of an upload run. */
import type { PendingList } from '../list/pending.ts';

/** How many stored images contain their location, by what their links do with it. */
export interface Locations {
  readonly removed: number;
  readonly kept: number;
  readonly withheld: number;
}

/** `reason` is that of the first refusal. */
export interface Ending {
  readonly stored: number;
  /** of the stored ones, those the account already had */
  readonly there: number;
  readonly refused: number;
  readonly cancelled: boolean;
  readonly session: boolean;
  readonly reason: string | null;
  readonly locations: Locations;
}

function countLocations(files: PendingList): Locations {
  const count = (location: string): number => files.filter((item) => item.location === location).length;
  return { removed: count('removed'), kept: count('kept'), withheld: count('withheld') };
}

/** @param files the files of the run */
export function endingOf(files: PendingList, how: Pick<Ending, 'cancelled' | 'session'>): Ending {
  const refused = files.filter((item) => item.status === 'refused');
  return {
    stored: files.filter((item) => item.status === 'stored').length,
    there: files.filter((item) => item.duplicate).length,
    refused: refused.length,
    reason: refused[0]?.reason ?? null,
    locations: countLocations(files),
    ...how,
  };
}
