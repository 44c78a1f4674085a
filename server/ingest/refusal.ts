/** The fault of what was sent, not of the server: the same again would be refused again. */
export type Refusal = Error & { code: string; statusCode: number };

export function isRefusal(error: unknown): error is Refusal {
  const { statusCode } = (error ?? {}) as { statusCode?: number };
  return typeof statusCode === 'number' && statusCode < 500;
}
