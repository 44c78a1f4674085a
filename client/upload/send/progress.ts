/** Computes progress and speed from the number of bytes that the browser has sent. */

/**
 * Assigns sent bytes to the files in sending order, for one progress bar each.
 * `loaded` and `total` count the whole request, including multipart overhead.
 */
export function divideSent(sizes: readonly number[], loaded: number, total: number): number[] {
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  let left = total > 0 ? Math.min(1, loaded / total) * bytes : 0;
  return sizes.map((size) => {
    const sent = Math.min(size, left);
    left -= sent;
    return Math.round(sent);
  });
}

export interface Sample {
  /** ms of a monotonic clock */
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

/** Moves a measurement by bytes that were not sent, but found on the server. */
export const shiftSamples = (samples: readonly Sample[], bytes: number): readonly Sample[] =>
  samples.map((sample) => ({ at: sample.at, bytes: sample.bytes + bytes }));

/** Bytes per second over the window; null without a measurement. */
export function speedOf(samples: readonly Sample[]): number | null {
  const first = samples[0];
  const last = samples.at(-1);
  if (first === undefined || last === undefined || last.at - first.at < 250) return null;
  const speed = ((last.bytes - first.bytes) * 1000) / (last.at - first.at);
  return speed > 0 ? speed : null;
}

/** The progress of one file. */
export interface FileProgress {
  /** bytes of the file that the server has or the browser has sent */
  readonly sent: number;
  /** for the file's speed; only while its own bytes move */
  readonly samples: readonly Sample[];
}

/** By file id. A file without an entry has sent nothing, or is done. */
export type Progress = ReadonlyMap<number, FileProgress>;

/** @param sent the files' bytes sent until `at`, by id */
export function addSent(progress: Progress, at: number, sent: ReadonlyMap<number, number>): Progress {
  const next = new Map(progress);
  for (const [id, bytes] of sent) {
    const before = next.get(id);
    if ((before?.sent ?? 0) === bytes) continue;
    // A file later in a request is measured from its first byte.
    const samples = bytes > 0 ? addSample(before?.samples ?? [], { at, bytes }) : [];
    next.set(id, { sent: bytes, samples });
  }
  return next;
}

/** Discards the measurements of some files, or of all without `ids`. */
export function stopMeasuring(progress: Progress, ids: Iterable<number> = progress.keys()): Progress {
  const next = new Map(progress);
  for (const id of ids) {
    const one = next.get(id);
    if (one !== undefined) next.set(id, { sent: one.sent, samples: [] });
  }
  return next;
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
