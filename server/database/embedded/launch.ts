import { join } from 'node:path';
import type { Log } from '../log.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts';

/** The embedded Postgres on its way. Whoever takes it over awaits it, and stops it. */
export type Launched = {
  postgres: Promise<EmbeddedPostgres>;
  /** Where its lines go from then on, and those that it has said already. */
  logTo(log: Log): void;
};

function createLateLog() {
  const said: ((log: Log) => void)[] = [];
  let target: Log | undefined;
  const say = (line: (log: Log) => void) => void (target ? line(target) : said.push(line));
  const log: Log = {
    info: (message) => say((to) => to.info(message)),
    error: (details, message) => say((to) => to.error(details, message)),
  };
  return {
    log,
    logTo(real: Log) {
      target = real;
      for (const line of said.splice(0)) line(real);
    },
  };
}

/**
 * Starts the embedded Postgres, and answers as soon as that is its own work: a program that has yet to be loaded is
 * loaded meanwhile, and neither waits for the other.
 */
export async function launchEmbeddedPostgres(dataDir: string): Promise<Launched> {
  const { log, logTo } = createLateLog();
  let onWait = () => {};
  const waiting = new Promise<void>((resolve) => {
    onWait = resolve;
  });
  const postgres = startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), log, onWait });
  // Its failure is told to whoever takes it over.
  await Promise.race([waiting, postgres.catch(() => undefined)]);
  return { postgres, logTo };
}
