import type { PendingList } from '../list/pending.ts';

/** The results of a run, per file. */
export interface Receipt {
  readonly stored: number;
  /** stored files that the account already had */
  readonly there: number;
  readonly refused: readonly { readonly id: number; readonly name: string; readonly reason: string }[];
}

/** @returns null if the list already shows the result */
export function receiptOf(files: PendingList, cancelled: boolean): Receipt | null {
  const stored = files.filter((item) => item.status === 'stored');
  const there = stored.filter((item) => item.duplicate).length;
  const refused = files
    .filter((item) => item.status === 'refused')
    .map(({ id, file, reason = '' }) => ({ id, name: file.name, reason }));
  if (stored.length + refused.length === 0 || (cancelled && stored.length === 0)) return null;
  return { stored: stored.length - there, there, refused };
}
