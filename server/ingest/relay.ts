/**
 * Work that several ask for at the same time, each with means of his own: one does it, and the others take over what comes
 * of it. Where he fails or is broken off, the next one does it himself: nobody fails by another's doing.
 */
export type Relay<T> = (key: string, work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** @throws the reason of an aborted signal, at once, while it goes on */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  signal.throwIfAborted();
  let abort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort);
  });
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', abort));
}

export function createRelay<T>(): Relay<T> {
  /** Each resolves when its work has ended; to nothing where it failed. */
  const running = new Map<string, Promise<{ outcome: T } | undefined>>();

  return async (key, work, signal) => {
    for (let present = running.get(key); present; present = running.get(key)) {
      const done = await unlessAborted(present, signal);
      if (done) return done.outcome;
    }
    const mine = work();
    const told = mine
      .then(
        (outcome) => ({ outcome }),
        () => undefined,
      )
      .finally(() => running.delete(key));
    running.set(key, told);
    return mine;
  };
}
