/** When all connections are in use, the longest idle reader releases its connection and later continues on another. */
export type Semaphore = ReturnType<typeof createSemaphore>;

export function createSemaphore(max: number) {
  let taken = 0;
  /** The release functions of idle responses, longest idle first. */
  const idle = new Set<() => void>();
  return {
    /** Acquires a connection for one response. @returns a release function, safe to call more than once */
    take(): () => void {
      taken += 1;
      const [oldest] = idle;
      if (taken > max && oldest) {
        idle.delete(oldest);
        oldest();
      }
      let isLeft = false;
      return () => {
        if (!isLeft) taken -= 1;
        isLeft = true;
      };
    },

    /** Marks the response as idle. @param release releases it; called at once if others wait */
    markIdle(release: () => void): void {
      if (taken > max) release();
      else idle.add(release);
    },

    markActive: (release: () => void): void => void idle.delete(release),
  };
}
