import type { FastifyBaseLogger } from 'fastify';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/reading.ts';
import type { Level } from './cage/launch.ts';
import { CannotDecode, type Isolation, isolationIn } from './pool/choose-isolation.ts';

export type { Isolation } from './pool/choose-isolation.ts';

type Settings = Pick<Config, 'decoderIsolation'> & {
  /** A folder on the disk that decoders' input uses. */
  folder: string;
};

export const whyNot = ({ refused }: Isolation): string =>
  Object.entries(refused)
    .map(([level, reason]) => `${level}: ${reason}`)
    .join('; ');

/** Returns a function that chooses on its first call. It rejects with ConfigError if the required isolation is impossible. */
export function isolationFor(
  { folder, decoderIsolation }: Settings,
  choose: () => Promise<Isolation> = isolationIn(folder),
): () => Promise<Isolation> {
  return async () => {
    const isolation = await choose();
    if (decoderIsolation !== 'required' || isolation.launch.level !== 'process') return isolation;
    throw new ConfigError(
      `DECODER_ISOLATION is "required", but decoders cannot be isolated here (${whyNot(isolation)}): ` +
        'install Perl and allow user namespaces or Landlock (docs/run/installation.md), or set DECODER_ISOLATION=auto',
    );
  };
}

/** Returns a function that chooses like `isolationFor`, and logs and reports each new level. */
export function namedIsolation(
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
  isolation: () => Promise<Isolation>,
  onChosen: (level: Level) => void,
): () => Promise<Isolation> {
  let named: Level | undefined;
  return async () => {
    const chosen = await isolation();
    const { level } = chosen.launch;
    if (level === named) return chosen;
    named = level;
    onChosen(level);
    if (level !== 'process') log.info({ isolation: level }, 'decoders are isolated');
    else
      log.warn(
        { isolation: level, missing: whyNot(chosen) },
        'decoders are not isolated: see docs/understand/security.md',
      );
    return chosen;
  };
}

/** Turns the failed trial of a start into one line for the administrator; returns other errors unchanged. */
export function refusalToStart(error: unknown): unknown {
  if (!(error instanceof CannotDecode)) return error;
  return new ConfigError(
    `Pictures cannot be decoded here, so the server does not start: ${error.message}. Reinstall the packages with this ` +
      `Node (${process.version}; in a clone: npm ci). If memory or processes are limited, raise the limits ` +
      '(docs/run/installation.md, "Isolation of decoders")',
  );
}
