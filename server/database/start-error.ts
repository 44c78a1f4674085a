/** An error at the start: one line for the administrator, without a password. */
export class DatabaseStartError extends Error {
  override readonly name = 'DatabaseStartError';
  readonly code = 'DATABASE_START';
}

export const messageOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) return messageOf(error.errors[0]);
  return error instanceof Error ? error.message : String(error);
};

export const codeOf = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
