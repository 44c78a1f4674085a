/** Computes progress from the number of bytes that the browser has sent. */

/**
 * Assigns sent bytes to the files in sending order, for one progress bar each.
 * `loaded` and `total` count the whole request, including multipart overhead.
 */
export function laySent(sizes: readonly number[], loaded: number, total: number): number[] {
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  let left = total > 0 ? Math.min(1, loaded / total) * bytes : 0;
  return sizes.map((size) => {
    const sent = Math.min(size, left);
    left -= sent;
    return Math.round(sent);
  });
}

export interface Sample {
  readonly at: number;
  readonly bytes: number;
}

const WINDOW_MS = 3000;

/** Adds a sample and drops those outside the window, except the last of them, where the measurement starts. */
export function addSample(samples: readonly Sample[], sample: Sample): readonly Sample[] {
  const all = [...samples, sample];
  const first = all.findIndex((one) => one.at >= sample.at - WINDOW_MS);
  return all.slice(Math.max(0, first - 1));
}

/** Bytes per second over the window; null without a measurement. */
export function speedOf(samples: readonly Sample[]): number | null {
  const first = samples[0];
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.at - first.at < 250) return null;
  const speed = ((last.bytes - first.bytes) * 1000) / (last.at - first.at);
  return speed > 0 ? speed : null;
}

/** Rounds seconds to steps that do not flicker: 5, 10, 20 ... 60, then whole minutes, then whole hours. */
export function coarseSeconds(seconds: number): number {
  if (seconds <= 5) return 5;
  if (seconds <= 60) return Math.ceil(seconds / 10) * 10;
  if (seconds <= 3600) return Math.ceil(seconds / 60) * 60;
  return Math.ceil(seconds / 3600) * 3600;
}

/** The highest of 25, 50 and 75 per cent passed between two shares (0 to 1), or null. */
export function milestone(before: number, now: number): 25 | 50 | 75 | null {
  for (const mark of [75, 50, 25] as const) {
    if (before * 100 < mark && now * 100 >= mark) return mark;
  }
  return null;
}
