/** What sending needs of the browser and the server; tests replace it (browser-sender.ts is the real one). */
import type { UploadResult } from '../../api/upload-images.ts';
import type { PendingFile } from '../list/pending.ts';

/** A file with its upload key. */
export type KeyedFile = PendingFile & { readonly key: string };

/** `loaded` and `total` count the whole request, in bytes. */
export type OnSent = (loaded: number, total: number) => void;

/** What a resumable upload reports while it runs. */
export interface ResumableProgress {
  /** The upload's URL for resuming; undefined once there is nothing to resume. */
  readonly onUrl: (url: string | undefined) => void;
  /** The bytes that the server already has, when the upload starts or resumes. */
  readonly onOffset: (offset: number) => void;
  readonly onSent: (sent: number) => void;
  /** No answer came; a retry follows. */
  readonly onOffline: () => void;
}

/** What a failed request means for its files and for the waiting ones. */
export interface Failure {
  readonly reason: string;
  /** the same file would be refused again */
  readonly isFinal: boolean;
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
  readonly rejected: UploadResult['rejected'];
}

export interface Environment {
  /** Unique among all pages of all browsers. */
  readonly pageKey: string;
  /** ms of a monotonic clock */
  readonly now: () => number;
  /** Resolves after `ms` milliseconds, or earlier if the network returns or `signal` aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly isOnline: () => boolean;
  /** Whether the server answers and is ready; also true once `signal` aborts. */
  readonly isReady: (signal: AbortSignal) => Promise<boolean>;
  /** Whether a file can still be read; not if it was changed or deleted after it was chosen. */
  readonly isReadable: (file: File) => Promise<boolean>;
  readonly sendForm: (files: readonly KeyedFile[], onSent: OnSent, signal: AbortSignal) => Promise<UploadResult>;
  /** Sends one large file, with retries. */
  readonly sendResumable: (file: KeyedFile, report: ResumableProgress, signal: AbortSignal) => Promise<UploadResult>;
  readonly explain: (error: unknown) => Failure;
}
