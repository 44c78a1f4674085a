/** Progress of many uploads: a bar on a terminal, lines elsewhere. */

/** Milliseconds over which the rate is measured. */
const span = 10_000;
/** Milliseconds between two drawings of the bar. */
const frame = 100;

const units = ['B', 'kB', 'MB', 'GB', 'TB'];

export function sizeText(bytes: number): string {
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** step;
  return `${step > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${units[step]}`;
}

export function timeText(seconds: number): string {
  if (!Number.isFinite(seconds)) return '';
  if (seconds < 60) return `${Math.ceil(seconds)} s left`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} min left` : `${Math.floor(minutes / 60)} h ${minutes % 60} min left`;
}

/** A file's name may contain codes that control the terminal. */
export const printable = (text: string): string => text.replace(/\p{Cc}/gu, '?');

/** Returns to the start of the terminal's line and clears it. */
const clearLine = '\r\x1b[2K';

type Totals = { files: number; bytes: number };

export function barText(done: Totals, all: Totals, rate: number, columns: number): string {
  const part = all.bytes > 0 ? Math.min(1, done.bytes / all.bytes) : 0;
  const width = 20;
  const bar = '='.repeat(Math.floor(part * width)).padEnd(width);
  const speed = rate > 0 ? `  ${sizeText(rate)}/s  ${timeText((all.bytes - done.bytes) / rate)}` : '';
  return `[${bar}] ${Math.floor(part * 100)} %  ${done.files}/${all.files}${speed}`.slice(0, Math.max(0, columns - 1));
}

export type Progress = ReturnType<typeof createProgress>;

/** @param terminal where the bar is drawn; undefined prints lines instead */
export function createProgress(all: Totals, terminal: NodeJS.WriteStream | undefined) {
  const done: Totals = { files: 0, bytes: 0 };
  const samples: { at: number; bytes: number }[] = [{ at: Date.now(), bytes: 0 }];
  let sent = 0;
  let drawnAt = 0;
  let note = '';

  function rate(now: number): number {
    while (samples.length > 1 && (samples[0]?.at ?? 0) < now - span) samples.shift();
    const [first] = samples;
    return first && now > first.at ? (1000 * (sent - first.bytes)) / (now - first.at) : 0;
  }

  function draw(isDue: boolean): void {
    const now = Date.now();
    if (!terminal || (!isDue && now - drawnAt < frame)) return;
    samples.push({ at: now, bytes: sent });
    drawnAt = now;
    const text = barText(done, all, rate(now), terminal.columns || 80);
    terminal.write(`${clearLine}${note ? `${text}  ${note}`.slice(0, (terminal.columns || 80) - 1) : text}`);
  }

  const clear = () => void terminal?.write(clearLine);

  return {
    /** @param bytes that have left since the last call; negative if they must be sent again */
    advance(bytes: number): void {
      done.bytes += bytes;
      sent += Math.max(0, bytes);
      if (bytes > 0) note = '';
      draw(false);
    },
    fileDone(): void {
      done.files += 1;
      draw(done.files === all.files);
    },
    /** These bytes need not be sent. */
    skip(bytes: number): void {
      all.bytes -= bytes;
      all.files -= 1;
      draw(false);
    },
    /** Why nothing moves. */
    wait(text: string): void {
      if (!terminal && text.split(',')[0] !== note.split(',')[0]) console.error(`gallery: ${text}`);
      note = text;
      draw(true);
    },
    /** Prints a line above the bar. */
    print(text: string, to: 'stdout' | 'stderr'): void {
      clear();
      process[to].write(`${printable(text)}\n`);
      draw(true);
    },
    end: clear,
  };
}

/** Prints why a call without a progress bar waits, or why one beside it does. */
export function printWait(text: string): void {
  terminalOf(process.stderr)?.write(clearLine);
  console.error(`gallery: ${text}`);
}

/** The terminal on which a bar can be drawn. */
export const terminalOf = (stream: NodeJS.WriteStream): NodeJS.WriteStream | undefined =>
  stream.isTTY && process.env.TERM !== 'dumb' ? stream : undefined;
