/** A whole server for one test: its own database, its own folder, closed and removed with the test. */
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
import { createTestDatabase } from './postgres/database.ts';

export type TestOptions = Partial<Config> & {
  options?: AppOptions;
  /** For a test that watches or breaks how decoders start: it gets some of its own. */
  ownDecoders?: boolean;
};

export async function temporaryFolder(t: Test): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gallery-test-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Rate limits, and renditions made ahead, are off unless the test turns them on. */
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
 * The decoders of all apps of a test process: starting some for each app takes longer than what most of them are for. They
 * end by themselves, soon after the last picture.
 */
const decoders = createDecoderPool({ limits: decodeLimits(readConfig({}).maxPixels), idleMs: 3_000 });
export const sharedDecoder: DecoderPool = { ...decoders, close: async () => {} };

const usual = readConfig({});
const decoding = ['maxPixels', 'encryptionKey', 'decoderIsolation', 'metricsPort', 'workers'] as const;

/** Whether an app decodes in the way that the shared decoders do. */
const decodesAsUsual = (config: Config, { decodeWithin }: AppOptions = {}) =>
  decodeWithin === undefined && decoding.every((name) => config[name] === usual[name]);

/** A test shares its event loop with the server, and its machine with others: that it is late is no pressure here. */
export async function buildTestApp(
  t: Test,
  { options, ownDecoders, ...overrides }: TestOptions = {},
): Promise<FastifyInstance> {
  const config = await testConfig(t, overrides);
  const app = await buildApp(config, {
    pressure: { eventLoopDelay: Number.POSITIVE_INFINITY },
    ...(!ownDecoders && decodesAsUsual(config, options) ? { decoder: sharedDecoder } : {}),
    ...options,
  });
  t.teardown(() => app.close());
  // Without a port it never listens, which is when they begin.
  if (overrides.renditionsAhead === 'on') await app.jobs.start();
  return app;
}

/** @returns the origin a listening app is reached at, on a free port */
export async function listen(app: FastifyInstance): Promise<string> {
  await app.listen({ host: '127.0.0.1', port: 0 });
  return `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
}
