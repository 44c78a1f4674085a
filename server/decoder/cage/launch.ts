import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readableFor } from './readable.ts';

/** Strongest first. docs/understand/security.md explains what each one stops. */
export const LEVELS = ['namespaces', 'user', 'filter', 'process'] as const;
export type Level = (typeof LEVELS)[number];

export type Launch = {
  level: Level;
  /** A program of the container image, with its arguments, that switches to the decoder's user. */
  as?: readonly string[];
  /** Options of cage.pl; undefined without a cage. */
  options?: readonly string[];
};

const LAUNCHER = fileURLToPath(new URL('./cage.pl', import.meta.url));

export const isCaged = ({ options }: Launch): boolean => options !== undefined;

type Program = {
  entry: string;
  args: readonly string[];
  /** Set before Node starts its threads: Linux has a priority for each thread. Windows ignores it. */
  nice: number;
};

export function commandOf({ as = [], options }: Launch, { entry, args, nice }: Program): [string, ...string[]] {
  const node = realpathSync(process.execPath);
  if (options === undefined)
    return nice > 0 && process.platform !== 'win32' ? ['nice', '-n', `${nice}`, node, ...args] : [node, ...args];
  const { read, run } = readableFor(entry);
  const paths = [...read.map((path) => `--read=${path}`), ...run.map((path) => `--run=${path}`)];
  const own = [...options, `--nice=${nice}`, `--parent=${process.pid}`];
  const command = [...as, 'perl', LAUNCHER, ...own, ...paths, '--', node, ...args];
  return command as [string, ...string[]];
}
