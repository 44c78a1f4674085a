import type { SentFile } from '../../server/testing/form.ts';
import type { Account } from '../../trust-tests/testing/account.ts';
import type { Ledger } from '../../trust-tests/testing/ledger.ts';
import type { CallKind, Fault } from './figures.ts';
import type { Slot } from './slots.ts';

export type ClientParts = {
  origin: string;
  slots: readonly Slot[];
  account: Account;
  ledger: Ledger;
  /** Bytes that are uploaded repeatedly, so that images share them. */
  again: SentFile[];
  /** @returns the current fault; a call counts for the fault during which it began */
  fault: () => Fault;
  count: (kind: CallKind, isGood: boolean, during: Fault) => void;
  /** Gets why a call failed: a broken connection, or a status that means "unavailable". */
  onFailed: (kind: CallKind, during: Fault, why: string) => void;
  /** Records the answers to the calls for one file, to diagnose a finding. */
  trace: (filename: string, what: string) => void;
  onUpload: (pictures: number) => void;
  /** Runs work in parallel with the client's next calls. */
  beside: (work: Promise<void>) => void;
  /** Gets the milliseconds until a link was dead on one process; Infinity if it lived on. */
  onDeath: (path: string, after: number | undefined) => void;
  /** Gets a contradiction with earlier answers. */
  onLost: (what: string) => void;
  onWrong: (what: string) => void;
};
