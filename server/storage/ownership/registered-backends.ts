/** Objects written to a backend that another server does not use would be missing there and survive their deletion. */
import type { Config } from '../../config/config.ts';
import { ConfigError } from '../../config/reading.ts';
import type { ProcessRegistry } from '../../database/process-registry.ts';

const topic = 7_346_207;

const kinds = ['disk', 's3'] as const;
type Kind = (typeof kinds)[number];
type Known = { first: Kind; all: readonly Kind[] };

const knownOf = ({ storage, storageFallback }: Config): Known => ({
  first: storage,
  all: kinds.filter((kind) => kind === storage || kind === storageFallback),
});

/** Encodes the backend for writes and a bit for each one in use. */
const numberOf = ({ first, all }: Known): number =>
  kinds.indexOf(first) * 4 + all.reduce((sum, kind) => sum + (1 << kinds.indexOf(kind)), 0);
const knownIn = (number: number): Known => ({
  first: kinds[number >> 2] ?? 'disk',
  all: kinds.filter((_, index) => number & (1 << index)),
});

/** @throws ConfigError, one line, if this process and a running server would not see each other's objects */
export async function ensureRegistered(
  config: Config,
  { announcedValues }: Pick<ProcessRegistry, 'announcedValues'>,
): Promise<void> {
  const own = knownOf(config);
  for (const other of (await announcedValues(topic)).map(knownIn)) {
    if (!own.all.includes(other.first)) {
      throw new ConfigError(
        `STORAGE: a running server puts new pictures into ${other.first}, which this process does not use. ` +
          `Set STORAGE=${other.first} here, or STORAGE_FALLBACK=${other.first}.`,
      );
    }
    if (!other.all.includes(own.first)) {
      throw new ConfigError(
        `STORAGE: a running server does not use ${own.first}, where this process would put new pictures. First start every ` +
          `server with STORAGE=${other.first} and STORAGE_FALLBACK=${own.first}, one after another (docs/run/object-storage.md).`,
      );
    }
  }
}

/** Registers before checking: of two servers that start together, at least one sees the other. */
export async function register(config: Config, { announce }: Pick<ProcessRegistry, 'announce'>): Promise<void> {
  await announce(topic, numberOf(knownOf(config)));
}
