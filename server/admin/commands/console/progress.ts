import cliProgress from 'cli-progress';
import { size } from './size.ts';
import { printable } from './table.ts';

type Progress = { step(count?: number): void; stop(): void };

/** A bar on standard error if it is a terminal, else nothing. `show` formats an amount. */
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
  // Restores the cursor if the command is interrupted.
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

/** A bar over bytes, for work that reports its own start and size. */
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

/** Prints a line on standard error, above the bar if there is one. */
export function noteAbove(line: string): void {
  const text = printable(line);
  console.error(process.stderr.isTTY ? `\r\x1b[K${text}` : text);
}
