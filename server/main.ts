import cluster from 'node:cluster';
import type { FastifyInstance } from 'fastify';
import { quotaAdvice } from './config/advice.ts';
import type { Config } from './config/config.ts';
import { readConfig } from './config/read-config.ts';
import { ConfigError } from './config/reading.ts';
import { launchEmbeddedPostgres } from './database/embedded/launch.ts';
import { throttledWarning } from './lib/throttled-warning.ts';
import { serveMetrics } from './monitoring/metrics-server.ts';
import { ensureDataDir } from './storage/data-dir.ts';
import { whenReachable } from './workers/starting.ts';
import { stopServer } from './workers/stopping.ts';

function refuseToStart(error: unknown): never {
  // What the administrator can mend is one line; anything else is ours, and is shown whole.
  const { code, message } = error as NodeJS.ErrnoException;
  console.error(code === 'CONFIG' || code === 'DATABASE_START' ? message : error);
  process.exit(1);
}

function listenError(error: NodeJS.ErrnoException, { host, port }: Config): Error {
  if (error.code === 'EADDRINUSE') {
    return new ConfigError(`PORT ${port} on ${host} is already in use: stop what uses it, or set PORT`);
  }
  return error.syscall ? new ConfigError(`HOST ${host} and PORT ${port} cannot be listened on (${error.code})`) : error;
}

const close = async (app: FastifyInstance): Promise<never> => process.exit(await stopServer(app));

/** sysexits.h: an error inside the software. */
const CRASHED = 70;
const minute = 60_000;

/** WORKERS=n: the primary of n processes, which each come here again. */
async function startPrimary(config: Config): Promise<never> {
  const { runPrimary } = await import('./workers/primary.ts');
  const onListening = () => process.send?.('listening');
  const say = (line: string) => console.error(line);
  if (config.metricsPort !== undefined) {
    const { aggregateMetrics } = await import('./monitoring/aggregate.ts');
    const now = throttledWarning(minute);
    const info = (_details: object, line: string) => say(line);
    const warn = ({ err }: { err: Error }, line: string) => now(() => say(`${line}: ${err.message}`));
    await serveMetrics(config, aggregateMetrics(), { info, warn });
  }
  process.exit(await runPrimary({ workers: config.workers, say, onListening }));
}

async function start(): Promise<void> {
  const config = readConfig(process.env);
  if (config.workers > 1 && cluster.isPrimary) return startPrimary(config);
  let app: FastifyInstance | undefined;
  let stopping = false;
  const stopped = new AbortController();

  // After what nobody caught, nothing can be trusted: one line, and the end. Whoever supervises starts it again.
  process.on('uncaughtException', (err) => {
    if (app && config.logLevel !== 'silent') app.log.fatal({ err }, 'the server crashed');
    else console.error(err);
    process.exit(CRASHED);
  });

  // Meant for the primary: a terminal, or a group's signal, tells its workers too.
  if (cluster.isWorker) process.on('SIGHUP', () => undefined);

  // Before anything is opened: a stop during the start waits for it, and then closes what was opened.
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1);
    stopping = true;
    stopped.abort();
    app?.log.info({ signal }, 'stopping: requests in flight end first');
    if (app) void close(app);
  };
  process.on('SIGTERM', stop);
  // Told by the primary, where another worker listens in its place. A stop that comes meanwhile is one as any other.
  process.on('message', async (word) => {
    if (word !== 'retire' || stopping) return;
    if (!app) return stop('SIGTERM');
    app.log.info('retiring: another listens instead, and what is in flight ends first');
    await app.drain();
    if (!stopping) void close(app);
  });
  // A supervisor (scripts/starting) has got the terminal's Ctrl-C too, and passes it on as the signal above. The server
  // does not outlive it: who killed it without a word wants everything to end, and may be starting it anew.
  if (process.connected)
    process.on('SIGINT', () => undefined).on('disconnect', () => stopping || process.exit(CRASHED));
  else process.on('SIGINT', stop);

  await ensureDataDir(config.dataDir);
  const launched = config.databaseUrl ? undefined : await launchEmbeddedPostgres(config.dataDir);
  // Started before, it serves the first attempt alone: a start that fails stops what it has opened.
  const first = { launched };
  // Most of a start is loading this: Postgres starts beside it.
  const built = await import('./app.ts')
    .then(({ buildApp }) => {
      const attempt = () => {
        const { launched } = first;
        first.launched = undefined;
        return buildApp(config, { launched });
      };
      return whenReachable(attempt, { say: (line) => console.error(line), signal: stopped.signal });
    })
    .catch(async (error) => {
      // It may have failed before anything took Postgres over.
      await launched?.postgres.then((postgres) => postgres.stop()).catch(() => undefined);
      if (stopping) process.exit(0);
      throw error;
    });
  if (stopping) return close(built);
  app = built;
  try {
    const advice = quotaAdvice(config);
    if (advice !== undefined && (cluster.worker?.id ?? 1) === 1) app.log.warn(advice);
    await app.listen({ host: config.host, port: config.port });
    if (app.metrics && !cluster.isWorker) await serveMetrics(config, app.metrics, app.log);
    process.send?.('listening');
  } catch (error) {
    await app.close();
    throw listenError(error as NodeJS.ErrnoException, config);
  }
}

start().catch(refuseToStart);
