import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/reading.ts';
import type { Level } from './cage/launch.ts';
import { type Isolation, isolationIn } from './pool/choose-isolation.ts';

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

/** Logs and reports the level once the server listens; if isolation is required, chooses it before. @throws ConfigError */
export async function openIsolation(
  app: FastifyInstance,
  settings: Settings,
  onChosen: (level: Level) => void,
  choose?: () => Promise<Isolation>,
): Promise<() => Promise<Isolation>> {
  const isolation = isolationFor(settings, choose);
  let naming: Promise<unknown> | undefined;
  let named: Level | undefined;

  async function name(): Promise<Isolation> {
    const chosen = await isolation();
    const { level } = chosen.launch;
    if (level === named) return chosen;
    named = level;
    onChosen(level);
    if (level !== 'process') app.log.info({ isolation: level }, 'decoders are isolated');
    else
      app.log.warn(
        { isolation: level, missing: whyNot(chosen) },
        'decoders are not isolated: see docs/understand/security.md',
      );
    return chosen;
  }

  if (settings.decoderIsolation === 'required') await isolation();
  app.addHook('onListen', (done) => {
    naming = name().catch((err) => app.log.error({ err }, 'the isolation of decoders could not be chosen'));
    done();
  });
  // A trial may be running.
  app.addHook('onClose', () => naming);
  return () => (named === undefined ? isolation() : name());
}
