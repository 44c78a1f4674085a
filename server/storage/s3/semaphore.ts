/**
 * Connections for answers that are read long, of which there are only so many: who holds one that nobody reads from just now
 * gives way to who waits, and goes on later, on another, where he was.
 */
export type Semaphore = ReturnType<typeof createSemaphore>;

export function createSemaphore(most: number) {
  let taken = 0;
  /** By how each is left, the one that rests longest first. */
  const resting = new Set<() => void>();
  return {
    /** For one answer, before it is asked for. @returns what gives it back, once however often it is called */
    take(): () => void {
      taken += 1;
      const [oldest] = resting;
      if (taken > most && oldest) {
        resting.delete(oldest);
        oldest();
      }
      let isLeft = false;
      return () => {
        if (!isLeft) taken -= 1;
        isLeft = true;
      };
    },

    /** @param giveWay lets the answer go; called at once where others wait */
    rest(giveWay: () => void): void {
      if (taken > most) giveWay();
      else resting.add(giveWay);
    },

    /** It is read on, or was let go. */
    stir: (giveWay: () => void): void => void resting.delete(giveWay),
  };
}
