import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type Agent, createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import t, { type Test } from 'tap';
import type { Config } from '../../config/config.ts';
import { eventually } from '../../testing/eventually.ts';

import { openCalls } from './calls.ts';
import { createS3Store } from './objects.ts';
import { s3SettingsOf } from './settings.ts';

async function answering(t: Test, answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  return s3SettingsOf({
    s3Endpoint: `http://127.0.0.1:${port}`,
    s3Region: 'us-east-1',
    s3Bucket: 'bucket',
    s3AccessKeyId: 'key',
    s3SecretAccessKey: 'secret',
    s3ForcePathStyle: 'on',
    s3Prefix: '',
  } as Config);
}

t.test('s3: a call that waits for a free connection does not time out as unconnected', async (t) => {
  const held: (() => void)[] = [];
  const settings = await answering(t, (_request, response) => void held.push(() => response.end()));
  // The first connection must be made in time on a busy machine too.
  const timeouts = { connect: 1_000, answer: 5_000, silence: 5_000, again: 0 };
  const calls = await openCalls(settings, timeouts, { objects: 1, others: 1 });
  t.teardown(() => calls.close());
  const both = Promise.all([calls.head('one'), calls.head('other')]);
  await eventually('the first request arrives', () => held.length === 1);
  const handler = calls.client.config.requestHandler as unknown as { httpHandlerConfigs(): { httpAgent: Agent } };
  const { httpAgent } = handler.httpHandlerConfigs();
  await eventually('a call waits for a connection', () => Object.keys(httpAgent.requests).length === 1);
  // A connect timeout for the waiting call would end before this timer.
  await wait(timeouts.connect);
  held.pop()?.();
  await eventually('the second request arrives', () => held.length === 1);
  held.pop()?.();
  t.equal((await both).length, 2);
});

t.test('s3: a whole object in place of a range is refused, and only needed ranges are requested', async (t) => {
  const bytes = randomBytes(1_000);
  const asked: (string | undefined)[] = [];
  let knowsRanges = false;
  const settings = await answering(t, ({ headers: { range } }, response) => {
    asked.push(range);
    response.setHeader('etag', '"the same"');
    const [, start, end] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
    if (!knowsRanges || start === undefined) return void response.end(bytes);
    const part = bytes.subarray(Number(start), Number(end || bytes.length - 1) + 1);
    response.statusCode = 206;
    response.setHeader('content-range', `bytes ${start}-${Number(start) + part.length - 1}/${bytes.length}`);
    return void response.end(part);
  });
  const calls = await openCalls(settings);
  t.teardown(() => calls.close());
  const marker = { assertOwned: async () => {}, assertOwnedNow: async () => {} };
  const objects = createS3Store({ calls, prefix: '', marker });
  const key = 'originals/00/picture.png';
  const read = async (start: number, end: number) =>
    buffer((await objects.read(key, { start, end })) ?? Readable.from([]));
  await t.rejects(read(10, 19), { code: 'STORAGE_UNAVAILABLE' });
  t.ok((await read(0, 19)).equals(bytes.subarray(0, 20)), 'the beginning can be read from the whole object');

  knowsRanges = true;
  asked.length = 0;
  t.ok((await read(10, 19)).equals(bytes.subarray(10, 20)));
  const file = await objects.open(key, { start: 100, end: 299 });
  const into = Buffer.alloc(50);
  for (const at of [100, 200, 120, 170, 400]) {
    await file?.read(into, at);
    t.ok(into.equals(bytes.subarray(at, at + 50)));
  }
  await file?.close();
  t.same(asked, ['bytes=10-19', 'bytes=100-299', 'bytes=200-299', 'bytes=120-169', 'bytes=170-219', 'bytes=400-449']);
});
