import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readableFor } from './readable.ts';

/** The strongest first. docs/understand/security.md says what each one stops. */
export const LEVELS = ['namespaces', 'user', 'filter', 'process'] as const;
export type Level = (typeof LEVELS)[number];

/** How a decoder is started. */
export type Launch = {
  level: Level;
  /** What becomes the decoder's user first, with its arguments: a program of the container image. */
  as?: readonly string[];
  /** Options of cage.pl; none where there is no cage. */
  options?: readonly string[];
};

const LAUNCHER = fileURLToPath(new URL('./cage.pl', import.meta.url));

export const isCaged = ({ options }: Launch): boolean => options !== undefined;

/** The command line that starts Node with these arguments, the decoder's first file among them. */
export function commandOf({ as = [], options }: Launch, entry: string, args: readonly string[]): [string, ...string[]] {
  const node = realpathSync(process.execPath);
  if (options === undefined) return [node, ...args];
  const { read, run } = readableFor(entry);
  const paths = [...read.map((path) => `--read=${path}`), ...run.map((path) => `--run=${path}`)];
  const words = [...as, 'perl', LAUNCHER, ...options, `--parent=${process.pid}`, ...paths, '--', node, ...args];
  return words as [string, ...string[]];
}
