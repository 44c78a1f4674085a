/** Tracks pending promises, so that a shutdown can wait for them. */
export function createPending() {
  const promises = new Set<Promise<unknown>>();
  return {
    /** @returns the same promise, tracked until it settles */
    async add<T>(promise: Promise<T>): Promise<T> {
      promises.add(promise);
      return promise.finally(() => promises.delete(promise));
    },
    settled: async (): Promise<void> => {
      await Promise.allSettled(promises);
    },
  };
}
