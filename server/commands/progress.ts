import cliProgress from 'cli-progress';

export type Progress = { step(count?: number): void; stop(): void };

/** A bar on the terminal's standard error; nothing where that is no terminal. */
export function startProgress(label: string, total: number): Progress {
  if (!process.stderr.isTTY) return { step: () => {}, stop: () => {} };
  const format = `${label} {bar} {value}/{total}, {eta_formatted} to go`;
  const bar = new cliProgress.SingleBar({ stream: process.stderr, format }, cliProgress.Presets.shades_classic);
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
