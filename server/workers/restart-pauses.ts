const shortest = 250;
const longest = 30_000;
const longLife = 60_000;

/** How long to wait before a process that exited is started again: doubled after each crash, until one lives a minute. */
export function createRestartPauses() {
  let pause = shortest;
  return {
    /** @param lived milliseconds that the process ran @returns milliseconds to wait */
    next(lived: number): number {
      const now = lived > longLife ? shortest : pause;
      pause = Math.min(now * 2, longest);
      return now;
    },
    reset(): void {
      pause = shortest;
    },
  };
}
