/** Tracks pending promises, so that a shutdown can wait for them. */
export function createPending() {
  const promises = new Set<Promise<unknown>>();
  return {
    async add<T>(promise: Promise<T>): Promise<T> {
      promises.add(promise);
      return promise.finally(() => promises.delete(promise));
    },
    settled: async (): Promise<void> => {
      await Promise.allSettled(promises);
    },
  };
}
