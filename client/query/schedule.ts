export type Later = (work: () => void, ms: number) => unknown;

/**
 * @param later runs work after some ms
 * @returns a function that runs `work` within some ms. Several requests become one run, at the earliest of their times.
 */
export function createSchedule(later: Later, work: () => void): (ms: number) => void {
  /** The time in ms from now within which the next run is scheduled; undefined if none is. */
  let scheduled: number | undefined;
  let round = 0;
  return (ms) => {
    if (scheduled !== undefined && scheduled <= ms) return;
    scheduled = ms;
    round += 1;
    const own = round;
    const run = (): void => {
      // An earlier time has been scheduled meanwhile.
      if (own !== round) return;
      scheduled = undefined;
      work();
    };
    if (ms === 0) queueMicrotask(run);
    else later(run, ms);
  };
}
