/** When all connections are in use, the longest idle reader releases its connection and later continues on another. */
export type Semaphore = ReturnType<typeof createSemaphore>;

export function createSemaphore(max: number) {
  let taken = 0;
  /** The release functions of idle responses, longest idle first. */
  const resting = new Set<() => void>();
  return {
    /** Acquires a connection for one response. @returns a release function, safe to call more than once */
    take(): () => void {
      taken += 1;
      const [oldest] = resting;
      if (taken > max && oldest) {
        resting.delete(oldest);
        oldest();
      }
      let isLeft = false;
      return () => {
        if (!isLeft) taken -= 1;
        isLeft = true;
      };
    },

    /** Marks the response as idle. @param giveWay releases it; called at once if others wait */
    rest(giveWay: () => void): void {
      if (taken > max) giveWay();
      else resting.add(giveWay);
    },

    stir: (giveWay: () => void): void => void resting.delete(giveWay),
  };
}
