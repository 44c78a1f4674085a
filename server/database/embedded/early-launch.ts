import { join } from 'node:path';
import type { Log } from '../log.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts';

/** An embedded Postgres that is starting. The caller awaits it and stops it. */
export type Launched = {
  postgres: Promise<EmbeddedPostgres>;
  /** Sets the logger; it also receives the messages logged so far. */
  logTo(log: Log): void;
};

/** A log that keeps its messages until the real logger exists. */
function createEarlyLog() {
  const early: ((log: Log) => void)[] = [];
  let target: Log | undefined;
  const write = (message: (log: Log) => void) => void (target ? message(target) : early.push(message));
  const log: Log = {
    info: (message) => write((to) => to.info(message)),
    error: (details, message) => write((to) => to.error(details, message)),
  };
  return {
    log,
    logTo(real: Log) {
      target = real;
      for (const message of early.splice(0)) message(real);
    },
  };
}

/** Starts the embedded Postgres and returns once only waiting is left, so that the program can load in the meantime. */
export async function launchEmbeddedPostgres(dataDir: string): Promise<Launched> {
  const { log, logTo } = createEarlyLog();
  let onWait = () => {};
  const waiting = new Promise<void>((resolve) => {
    onWait = resolve;
  });
  const postgres = startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), log, onWait });
  // The caller that awaits `postgres` gets its failure.
  await Promise.race([waiting, postgres.catch(() => undefined)]);
  return { postgres, logTo };
}
