/** What the sending of files needs from around it, and what the words of it mean. */
import type { UploadAnswer } from '../../server/contract.ts';
import type { Change, PendingFile, PendingList } from './pending.ts';
import type { RegainingParts } from './regaining.ts';

export type OnSent = (loaded: number, total: number) => void;
/** A file that is being sent. */
export type KeyedFile = PendingFile & { readonly key: string };

export type Send = (items: readonly KeyedFile[], onSent: OnSent, signal: AbortSignal) => Promise<UploadAnswer>;

/** Sends one large file, from where it stands, however often the connection is lost. */
export type SendInPieces = (
  item: PendingFile,
  told: { onSent: OnSent; onUrl: (url: string | undefined) => void; onLost: () => void },
  signal: AbortSignal,
) => Promise<UploadAnswer>;

/** What a failed request means for the files in it and for those that wait. */
export interface Failure {
  readonly reason: string;
  /** the request held more files than the server takes: send fewer at a time */
  readonly tooMany: boolean;
  /** milliseconds after which the server asks to try the same again; null where that is not what it asks */
  readonly waitMs: number | null;
  /** no answer came */
  readonly lost: boolean;
  /** no answer came, or only one in place of a server that is not there just now */
  readonly away: boolean;
  /** the next request would fail alike: no connection, no space, no session */
  readonly stops: boolean;
  /** the account has no room for what was sent */
  readonly full: boolean;
  /** the session is over; the shared client has said so already */
  readonly session: boolean;
  /** one reason a file, where the server refused each and named them */
  readonly rejected: UploadAnswer['rejected'];
}

export interface Plan {
  readonly concurrency: number;
  readonly maxFiles: number;
  readonly maxBytes: number;
}

export interface RunHost extends RegainingParts {
  readonly plan: Plan;
  /** No other page of anybody's has it. */
  readonly pageKey: string;
  readonly send: Send;
  readonly sendInPieces: SendInPieces;
  readonly explain: (error: unknown) => Failure;
  /** the reason for a file that an answer does not account for */
  readonly unexplained: string;
  /** the reason for a file that is not on the disk any more as it was chosen */
  readonly unreadable: string;
  readonly isReadable: (file: File) => Promise<boolean>;
  files(): PendingList;
  change(changes: ReadonlyMap<number, Change>): void;
  /** Whether no answer comes, and the upload tries again by itself. */
  lose(lost: boolean): void;
  /** Waits, telling so; resolves early when `signal` says so. */
  hold(ms: number, signal: AbortSignal): Promise<void>;
}
