/** What the server said when it refused: `code` is one of its codes, `message` its English sentence, which may hold a detail. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  /** seconds after which it asks to try again */
  readonly retryAfter?: number | undefined;
}
