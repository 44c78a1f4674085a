/** How a run of the upload ended, for those who tell of it. */
import type { PendingList } from './pending.ts';

/** How many of the stored images tell where they were taken, by what their links do with it. */
export interface Locations {
  readonly removed: number;
  readonly kept: number;
  readonly withheld: number;
}

/** `reason` is the first refusal's, for the second line of a toast. */
export interface Ending {
  readonly stored: number;
  /** of the stored: those that the account had already */
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

/** @param files of the run */
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
