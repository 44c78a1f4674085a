/** The environment that sending files needs. */
import type { UploadAnswer } from '../../../server/contract.ts';
import type { Change, PendingFile, PendingList } from '../list/pending.ts';
import type { RegainingParts } from './reconnect.ts';

export type OnSent = (loaded: number, total: number) => void;
/** A file being sent. */
export type KeyedFile = PendingFile & { readonly key: string };

export type Send = (items: readonly KeyedFile[], onSent: OnSent, signal: AbortSignal) => Promise<UploadAnswer>;

/** Sends one large file as a resumable upload, with retries. */
export type SendInPieces = (
  item: PendingFile,
  told: { onSent: OnSent; onUrl: (url: string | undefined) => void; onLost: () => void },
  signal: AbortSignal,
) => Promise<UploadAnswer>;

/** What a failed request means for its files and for the waiting ones. */
export interface Failure {
  readonly reason: string;
  /** the request held too many files: send fewer at a time */
  readonly tooMany: boolean;
  /** milliseconds after which the server requests a retry; null if it requests none */
  readonly waitMs: number | null;
  /** no answer came */
  readonly lost: boolean;
  /** no answer came, or a proxy answered for a server that is away */
  readonly away: boolean;
  /** the next request would fail too: no connection, no space, no session */
  readonly stops: boolean;
  /** the account's quota is exceeded */
  readonly full: boolean;
  /** the session is over; the API client has already reported it */
  readonly session: boolean;
  /** one reason per file, if the server refused each by name */
  readonly rejected: UploadAnswer['rejected'];
}

export interface Plan {
  readonly concurrency: number;
  readonly maxFiles: number;
  readonly maxBytes: number;
}

export interface RunHost extends RegainingParts {
  readonly plan: Plan;
  /** Unique among all pages of all browsers. */
  readonly pageKey: string;
  readonly send: Send;
  readonly sendInPieces: SendInPieces;
  readonly explain: (error: unknown) => Failure;
  /** the reason for a file missing from an answer */
  readonly unexplained: string;
  /** the reason for a file that was changed or deleted on the disk */
  readonly unreadable: string;
  readonly isReadable: (file: File) => Promise<boolean>;
  files(): PendingList;
  change(changes: ReadonlyMap<number, Change>): void;
  /** Sets whether the connection is lost; the upload retries meanwhile. */
  lose(lost: boolean): void;
  /** Waits and shows the countdown; resolves early if `signal` aborts. */
  hold(ms: number, signal: AbortSignal): Promise<void>;
}
