/** Runs concurrent calls once for each key. */
type SingleFlight<T> = {
  /** Runs the work, or joins the running work. All callers share its outcome, failures included. */
  share(key: string, work: () => Promise<T>): Promise<T>;
  /** Like `share`, but if the joined work fails, a caller runs its own. @param signal ends only this caller's wait */
  shareSuccess(key: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  settled(): Promise<void>;
};

export function createSingleFlight<T>(): SingleFlight<T> {
  const running = new Map<string, Promise<T>>();

  function begin(key: string, work: () => Promise<T>): Promise<T> {
    const flight = work().finally(() => running.delete(key));
    running.set(key, flight);
    return flight;
  }

  return {
    share: (key, work) => running.get(key) ?? begin(key, work),
    async shareSuccess(key, work, signal) {
      for (let present = running.get(key); present; present = running.get(key)) {
        const joined = present.then(
          (outcome) => ({ outcome }),
          () => undefined,
        );
        const done = await unlessAborted(joined, signal);
        if (done) return done.outcome;
      }
      return begin(key, work);
    },
    async settled() {
      while (running.size > 0) await Promise.allSettled(running.values());
    },
  };
}

/** Returns the work as a function whose calls join the running one. */
export function joinRunning<T>(work: () => Promise<T>): () => Promise<T> {
  const running = createSingleFlight<T>();
  return () => running.share('', work);
}

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
