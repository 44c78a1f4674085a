/** A refusal by the server: `code` is its error code, `message` its English message, possibly with details. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  /** seconds after which the server requests a retry */
  readonly retryAfter?: number | undefined;
}
