import cliProgress from 'cli-progress';
import { size } from './size.ts';
import { printable } from './table.ts';

export type Progress = { step(count?: number): void; stop(): void };

/**
 * A bar on the terminal's standard error; nothing where that is no terminal.
 * @param show how an amount is written
 */
export function startProgress(label: string, total: number, show: (amount: number) => string = String): Progress {
  if (!process.stderr.isTTY) return { step: () => {}, stop: () => {} };
  const format = `${label} {bar} {value}/{total}, {eta_formatted} to go`;
  const formatValue: cliProgress.ValueFormatter = (value, _options, type) =>
    type === 'percentage' ? String(value) : show(value);
  const bar = new cliProgress.SingleBar(
    { stream: process.stderr, format, formatValue },
    cliProgress.Presets.shades_classic,
  );
  bar.start(total, 0);
  // Broken off, it gives the cursor back.
  const stop = () => bar.stop();
  process.once('exit', stop);
  return {
    step: (count = 1) => bar.increment(count),
    stop: () => {
      process.removeListener('exit', stop);
      stop();
    },
  };
}

/** A bar over bytes, for work that says itself when it begins and how much there is. */
export function byteProgress() {
  let bar: Progress | undefined;
  return {
    begin(label: string, total: number) {
      bar = startProgress(label, total, size);
    },
    advance: (amount: number) => bar?.step(amount),
    end() {
      bar?.stop();
      bar = undefined;
    },
  };
}

/** A line on standard error, above the bar where there is one. */
export function noteAbove(line: string): void {
  const text = printable(line);
  console.error(process.stderr.isTTY ? `\r\x1b[K${text}` : text);
}
