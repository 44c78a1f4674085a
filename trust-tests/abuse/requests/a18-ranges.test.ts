import { noise } from '../../../server/testing/pictures.ts';
import { abuse } from '../../testing/abuse.ts';
import { newAccount, pathOf, store } from '../../testing/account.ts';
import { call } from '../../testing/call.ts';
import { serve } from '../../testing/machine/loopback.ts';

abuse('A18', 'a range gets those bytes, the whole file or 416, and never more bytes than the file has', async (t) => {
  const { origin } = await serve(t);
  const bytes = await noise(200, 120);
  const size = bytes.length;
  const [image] = await store(origin, await newAccount(origin), [{ name: 'a.jpg', bytes }]);
  const many = (count: number, one: (index: number) => string) =>
    Array.from({ length: count }, (_, at) => one(at)).join(',');

  const whole = [
    `bytes=${many(500, (at) => `${at}-${at}`)}`,
    `bytes=${many(500, () => '0-')}`,
    `bytes=${many(1000, () => '-1')}`,
    'bytes=abc',
    'bytes=--1',
    'bytes=0-1-2',
    'bytes=',
    'bytes',
    '=0-5',
    'lines=0-5',
    'bytes=1e3-2e3',
    'bytes=0x0-0x10',
    'bytes=5-2',
    `bytes=${'9'.repeat(400)}x-`,
    ' ',
  ];
  const part: Record<string, [number, number]> = {
    'bytes=0-0': [0, 0],
    'bytes=0-': [0, size - 1],
    'bytes=-1': [size - 1, size - 1],
    [`bytes=-${'9'.repeat(30)}`]: [0, size - 1],
    [`bytes=10-${'9'.repeat(30)}`]: [10, size - 1],
    [`bytes=${size - 1}-${size + 5}`]: [size - 1, size - 1],
    'BYTES=2-3': [2, 3],
  };
  const none = [`bytes=${size}-`, `bytes=${size}-${size + 1}`, 'bytes=-0', `bytes=${'9'.repeat(30)}-`];

  for (const path of [pathOf(image?.url), pathOf(image?.thumbnail_url)]) {
    const asked = (range: string) => call(origin, path, { headers: { range } });
    const full = (await call(origin, path)).bytes;
    for (const range of whole) {
      const { status, bytes: got } = await asked(range);
      t.ok(status === 200 ? got.equals(full) : status === 416, `${range.slice(0, 30)}: ${status}`);
    }
    if (path === pathOf(image?.url)) {
      for (const [range, [from, to]] of Object.entries(part)) {
        const { status, bytes: got, headers } = await asked(range);
        t.equal(status, 206, range.slice(0, 30));
        t.equal(headers['content-range'], `bytes ${from}-${to}/${size}`);
        t.ok(got.equals(full.subarray(from, to + 1)));
      }
      for (const range of none) {
        const { status, headers, body } = await asked(range);
        t.equal(status, 416, range.slice(0, 30));
        t.equal(headers['content-range'], `bytes */${size}`);
        t.notOk(headers.etag);
        t.match(JSON.parse(body), { code: 'RANGE_NOT_SATISFIABLE' });
      }
    }
  }
});
