import cluster from 'node:cluster';
import type { FastifyInstance } from 'fastify';
import { quotaAdvice } from '../config/advice.ts';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/reading.ts';
import { type Launched, launchEmbeddedPostgres } from '../database/embedded/early-launch.ts';
import { serveMetrics } from '../monitoring/metrics-server.ts';
import { ensureDataDir } from '../storage/data-dir.ts';
import { isFirstWorker } from './child.ts';
import { whenReachable } from './starting.ts';
import { stopServer } from './stopping.ts';

type Options = { launched: Launched | undefined; isFirstWorker: boolean };
type LoadApp = () => Promise<{ buildApp(config: Config, options: Options): Promise<FastifyInstance> }>;

/** sysexits.h: an error inside the software. */
const CRASHED = 70;

/** @param loadApp imports app.ts, which takes most of a start: Postgres starts at the same time */
export async function runServer(config: Config, environment: NodeJS.ProcessEnv, loadApp: LoadApp): Promise<void> {
  const lifetime = createLifetime(config);
  await ensureDataDir(config.dataDir);
  const launched = config.databaseUrl ? undefined : await launchEmbeddedPostgres(config.dataDir);
  const isFirst = isFirstWorker(environment);
  const options = { launched, isFirstWorker: isFirst };
  const app = await build(config, options, loadApp, lifetime.stopped).catch(async (error) => {
    // It may have failed before anything took Postgres over.
    await launched?.postgres.then((postgres) => postgres.stop()).catch(() => undefined);
    if (lifetime.stopped.aborted) process.exit(0);
    throw error;
  });
  if (await lifetime.begin(app)) await listen(app, config, isFirst);
}

/** Listens for signals before anything is opened: a stop during the start waits for the start, then closes what it opened. */
function createLifetime({ logLevel }: Config) {
  const stopping = new AbortController();
  let app: FastifyInstance | undefined;

  async function close(opened: FastifyInstance): Promise<never> {
    process.exit(await stopServer(opened));
  }

  function stop(signal: NodeJS.Signals): void {
    if (stopping.signal.aborted) process.exit(1);
    stopping.abort();
    app?.log.info({ signal }, 'stopping: requests in flight end first');
    if (app) void close(app);
  }

  /** The primary has another worker in this one's place. */
  async function retire(): Promise<void> {
    if (stopping.signal.aborted) return;
    if (!app) return stop('SIGTERM');
    app.log.info('retiring: another worker replaces this one');
    await app.shutdown.drain();
    if (!stopping.signal.aborted) void close(app);
  }

  // After an uncaught exception no state can be trusted: the process logs it and exits, and the supervisor restarts it.
  process.on('uncaughtException', (err) => {
    if (app && logLevel !== 'silent') app.log.fatal({ err }, 'the server crashed');
    else console.error(err);
    process.exit(CRASHED);
  });
  process.on('SIGTERM', stop);
  process.on('message', (word) => {
    if (word === 'retire') void retire();
  });
  // Meant for the primary: a terminal sends it to the whole group.
  if (cluster.isWorker) process.on('SIGHUP', () => undefined);
  // The supervisor forwards the terminal's Ctrl-C as SIGTERM. If it is gone, so is the server: a new one may be starting.
  if (process.connected)
    process
      .on('SIGINT', () => undefined)
      .on('disconnect', () => {
        if (!stopping.signal.aborted) process.exit(CRASHED);
      });
  else process.on('SIGINT', stop);

  return {
    stopped: stopping.signal,
    /** @returns whether to serve; if a stop has come meanwhile, it closes the app */
    async begin(opened: FastifyInstance): Promise<boolean> {
      if (stopping.signal.aborted) return close(opened);
      app = opened;
      return true;
    },
  };
}

async function build(config: Config, options: Options, loadApp: LoadApp, signal: AbortSignal) {
  const { buildApp } = await loadApp();
  // A failed attempt stops the Postgres that it was given.
  let { launched } = options;
  const attempt = () => {
    const built = buildApp(config, { ...options, launched });
    launched = undefined;
    return built;
  };
  return whenReachable(attempt, { say: (line) => console.error(line), signal });
}

async function listen(app: FastifyInstance, config: Config, isFirst: boolean): Promise<void> {
  try {
    const advice = isFirst ? quotaAdvice(config) : undefined;
    if (advice !== undefined) app.log.warn(advice);
    await app.listen({ host: config.host, port: config.port });
    if (app.metrics && !cluster.isWorker) await serveMetrics(config, app.metrics, app.log);
    process.send?.('listening');
  } catch (error) {
    await app.close();
    throw listenError(error as NodeJS.ErrnoException, config);
  }
}

function listenError(error: NodeJS.ErrnoException, { host, port }: Config): Error {
  if (error.code === 'EADDRINUSE') {
    return new ConfigError(`PORT ${port} on ${host} is already in use: stop what uses it, or set PORT`);
  }
  return error.syscall ? new ConfigError(`HOST ${host} and PORT ${port} cannot be listened on (${error.code})`) : error;
}
