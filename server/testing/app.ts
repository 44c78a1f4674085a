/** A whole server for one test, with its own database and folder, closed and removed after the test. */
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Test } from 'tap';
import { buildApp } from '../app.ts';
import type { AppOptions } from '../app-options.ts';
import type { Config } from '../config/config.ts';
import { readConfig } from '../config/read-config.ts';
import { decodeLimits } from '../decoder/core/limits.ts';
import { createDecoderPool, type DecoderPool } from '../decoder/pool/pool.ts';
import { shareCompiledSchemas } from './openapi/compiled-schemas.ts';
import { describedAnswers } from './openapi/described-answers.ts';
import { createTestDatabase } from './postgres/database.ts';

export type TestOptions = Partial<Config> & {
  options?: AppOptions;
  /** Uses separate decoders, for a test that watches or breaks their start. */
  ownDecoders?: boolean;
};

export async function temporaryFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gallery-test-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Rate limits and background renditions are off by default. */
export async function testConfig(t: Test, overrides: Partial<Config> = {}): Promise<Config> {
  const databaseUrl = 'databaseUrl' in overrides ? overrides.databaseUrl : (await createTestDatabase(t)).url;
  const dataDir = overrides.dataDir ?? (await temporaryFolder(t));
  return {
    ...readConfig({}),
    dataDir,
    databaseUrl,
    logLevel: 'silent',
    rateLimit: 'off',
    renditionsAhead: 'off',
    ...overrides,
  };
}

/**
 * Decoders shared by all apps of a test process: starting new ones for each app takes longer than most tests need them. They
 * wait for the next picture until the process ends.
 */
const decoders = createDecoderPool({ limits: decodeLimits(readConfig({}).maxPixels), idleMs: 600_000 });
export const sharedDecoder: DecoderPool = { ...decoders, close: async () => {} };

const defaults = readConfig({});
const decoding = ['maxPixels', 'encryptionKey', 'decoderIsolation', 'metricsPort', 'workers'] as const;

/** Whether the shared decoders fit the app's settings. */
const decodesAsUsual = (config: Config, { decodeWithin }: AppOptions = {}) =>
  decodeWithin === undefined && decoding.every((name) => config[name] === defaults[name]);

/**
 * Load shedding is off: tests share the event loop with the server, and the machine with other tests. Each answer must be
 * described by the OpenAPI document.
 */
export async function buildTestApp(
  t: Test,
  { options, ownDecoders, ...overrides }: TestOptions = {},
): Promise<FastifyInstance> {
  const config = await testConfig(t, overrides);
  const describe = describedAnswers(t, options?.onRoute);
  const app = await buildApp(config, {
    pressure: { eventLoopDelay: Number.POSITIVE_INFINITY },
    announcesClaim: false,
    ...(!ownDecoders && decodesAsUsual(config, options) ? { decoder: sharedDecoder } : {}),
    ...options,
    onRoute: (route) => {
      describe(route);
      shareCompiledSchemas(route);
    },
  });
  t.teardown(() => app.close());
  return app;
}

/** Starts listening on a free port. @returns the origin */
export async function listen(app: FastifyInstance): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}
