/** The result of an upload job. The screen, the toast and the announcement all use this one report. */
import type { PendingList } from '../list/pending.ts';

/** How many stored images contain their location, by what their links do with it. */
export interface Locations {
  readonly removed: number;
  readonly kept: number;
  readonly withheld: number;
}

export interface Summary {
  readonly stored: number;
  /** of the stored ones, those the account already had */
  readonly duplicates: number;
  readonly refused: readonly { readonly id: number; readonly name: string; readonly reason: string }[];
  readonly cancelled: boolean;
  /** whether the session has ended; the session reports that itself */
  readonly sessionOver: boolean;
  readonly locations: Locations;
}

function countLocations(files: PendingList): Locations {
  const count = (location: string): number => files.filter((item) => item.location === location).length;
  return { removed: count('removed'), kept: count('kept'), withheld: count('withheld') };
}

/** @param files the files of the job */
export function summarize(files: PendingList, how: Pick<Summary, 'cancelled' | 'sessionOver'>): Summary {
  return {
    stored: files.filter((item) => item.status === 'stored').length,
    duplicates: files.filter((item) => item.duplicate).length,
    refused: files
      .filter((item) => item.status === 'refused')
      .map(({ id, file, reason = '' }) => ({ id, name: file.name, reason })),
    locations: countLocations(files),
    ...how,
  };
}

/** False if the list already shows the result. */
export const isWorthShowing = ({ stored, refused, cancelled }: Summary): boolean =>
  stored > 0 || (refused.length > 0 && !cancelled);
