import { buildApp } from './app.ts';
import { ConfigError, readConfig } from './config.ts';

function refuseToStart(error: unknown): never {
  // What the administrator can mend is one line; anything else is ours, and is shown whole.
  const { code, message } = error as NodeJS.ErrnoException;
  console.error(code === 'CONFIG' || code === 'DATABASE_START' ? message : error);
  process.exit(1);
}

async function start(): Promise<void> {
  const config = readConfig(process.env);
  const app = await buildApp(config);

  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1);
    stopping = true;
    app.log.info({ signal }, 'stopping: requests in flight end first');
    app.close().then(
      () => process.exit(0),
      (err: unknown) => {
        app.log.error({ err }, 'the stop failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);

  try {
    await app.listen({ host: config.host, port: config.port });
  } catch (error) {
    await app.close();
    throw (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
      ? new ConfigError(`PORT ${config.port} on ${config.host} is already in use: stop what uses it, or set PORT`)
      : error;
  }
}

start().catch(refuseToStart);
