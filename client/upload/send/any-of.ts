/** A signal that aborts with the first of two. AbortSignal.any is missing in supported versions of Firefox. */
export function anyOf(one: AbortSignal, other: AbortSignal): AbortSignal {
  const both = new AbortController();
  for (const signal of [one, other]) {
    if (signal.aborted) both.abort();
    // Removed from the other signal, which may outlive many of these.
    signal.addEventListener('abort', () => both.abort(), { signal: both.signal });
  }
  return both.signal;
}
