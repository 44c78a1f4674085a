/** Starts an app in this process, reached over real HTTP. */
import type { FastifyInstance } from 'fastify';
import type { Test } from 'tap';
import { buildApp } from '../../../server/app.ts';
import type { Config } from '../../../server/config/config.ts';
import { listen, type TestOptions, temporaryFolder, testConfig } from '../../../server/testing/app.ts';
import { query } from '../../../server/testing/postgres/embedded.ts';

export type Loopback = {
  app: FastifyInstance;
  config: Config;
  origin: string;
  dataDir: string;
  /** Runs one statement on the server's database. */
  sql: (statement: string) => Promise<Record<string, unknown>[]>;
};

let failures: string[] = [];

/** @returns every unexpected answer from 500 up since the last call */
export function takeFailures(): string[] {
  const taken = failures;
  failures = [];
  return taken;
}

/** @param expected statuses from 500 up that count as correct, like 503 of an overloaded server */
export async function serve(
  t: Test,
  { options, expected = [], ...overrides }: TestOptions & { expected?: number[] } = {},
): Promise<Loopback> {
  const dataDir = overrides.dataDir ?? (await temporaryFolder(t));
  const config = await testConfig(t, { ...overrides, dataDir });
  // Test and server share an event loop, so its delay is no measure of the server's load.
  const app = await buildApp(config, { pressure: { eventLoopDelay: Number.POSITIVE_INFINITY }, ...options });
  t.teardown(() => app.close());
  app.server.on('request', (request, response) => {
    response.once('close', () => {
      const { statusCode } = response;
      if (statusCode >= 500 && !expected.includes(statusCode))
        failures.push(`${request.method} ${request.url?.slice(0, 100)}: ${statusCode}`);
    });
  });
  const url = config.databaseUrl ?? '';
  return { app, config, origin: await listen(app), dataDir, sql: (statement) => query(url, statement) };
}
