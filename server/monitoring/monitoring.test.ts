/** Disabled monitoring returns its inputs unchanged. */
import Fastify from 'fastify';
import t from 'tap';
import { readConfig } from '../config/read-config.ts';
import { shareOf } from '../config/share.ts';
import type { Storage } from '../storage/storage.ts';
import { openMonitoring } from './monitoring.ts';

const open = (environment: Record<string, string>) => {
  const config = readConfig(environment);
  return openMonitoring({ config, log: Fastify().log, share: shareOf(config) });
};

t.test('by default only the time of statements is watched, and requests are not followed', async (t) => {
  const monitoring = await open({});
  const storage = {} as Storage;
  t.equal(monitoring.watchStorage(storage), storage);
  t.equal(monitoring.ingestMeter, undefined);
  t.equal(monitoring.decodeListener('asked'), undefined);
  t.equal(monitoring.traceDecode, undefined);
  t.match(monitoring.requestOptions, { meter: undefined, tracing: undefined, follow: false });
  t.equal(monitoring.metrics, undefined);
  t.type(monitoring.beginQuery, 'function');
});

t.test('with SLOW_QUERY=off no statement is watched', async (t) => {
  const monitoring = await open({ SLOW_QUERY: 'off' });
  t.equal(monitoring.beginQuery, undefined);
});

t.test('requests are followed if SLOW_QUERY is set', async (t) => {
  const monitoring = await open({ SLOW_QUERY: '500ms' });
  t.equal(monitoring.requestOptions?.follow, true);
});
