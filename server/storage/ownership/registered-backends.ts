/**
 * Which storages living servers know: what one writes into a place of which another knows nothing would be missing there, and
 * outlive its deletion.
 */
import type { Config } from '../../config/config.ts';
import { ConfigError } from '../../config/reading.ts';
import type { ProcessRegistry } from '../../database/process-registry.ts';

/** Of all that processes say of themselves (database/process-registry.ts). */
const topic = 7_346_207;

const kinds = ['disk', 's3'] as const;
type Kind = (typeof kinds)[number];
type Known = { first: Kind; all: readonly Kind[] };

const knownOf = ({ storage, storageFallback }: Config): Known => ({
  first: storage,
  all: kinds.filter((kind) => kind === storage || kind === storageFallback),
});

/** The place that is written to, and a bit for each that is known. */
const numberOf = ({ first, all }: Known): number =>
  kinds.indexOf(first) * 4 + all.reduce((sum, kind) => sum + (1 << kinds.indexOf(kind)), 0);
const knownIn = (number: number): Known => ({
  first: kinds[number >> 2] ?? 'disk',
  all: kinds.filter((_, index) => number & (1 << index)),
});

/** @throws ConfigError, one line, where a living server would not see what is stored by this process, or the other way round */
export async function ensureRegistered(config: Config, { said }: Pick<ProcessRegistry, 'said'>): Promise<void> {
  const own = knownOf(config);
  for (const other of (await said(topic)).map(knownIn)) {
    if (!own.all.includes(other.first)) {
      throw new ConfigError(
        `STORAGE: a running server puts new pictures into ${other.first}, of which this process would know nothing. ` +
          `Set STORAGE=${other.first} here, or STORAGE_FALLBACK=${other.first}.`,
      );
    }
    if (!other.all.includes(own.first)) {
      throw new ConfigError(
        `STORAGE: a running server knows nothing of ${own.first}, where this process would put new pictures. First start every ` +
          `server with STORAGE=${other.first} and STORAGE_FALLBACK=${own.first}, one after another (docs/run/object-storage.md).`,
      );
    }
  }
}

/** Said before it is asked: of two servers that start at once, one at least sees the other. */
export async function register(config: Config, { agree }: Pick<ProcessRegistry, 'agree'>): Promise<void> {
  await agree(topic, numberOf(knownOf(config)));
}
