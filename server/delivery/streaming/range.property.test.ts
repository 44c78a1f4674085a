import fc from 'fast-check';
import t from 'tap';
import { signIn } from '../../testing/account.ts';
import { buildTestApp } from '../../testing/app.ts';
import { storeFiles } from '../../testing/form.ts';
import { picture } from '../../testing/pictures.ts';

type Expected = { status: 200 } | { status: 206; from: number; to: number } | { status: 416 };

/** One range by RFC 9110, 14.1.2. Undefined if malformed or multiple: the response is then 200, 206 or 416. */
function model(header: string, size: number): Expected | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/i.exec(header) ?? [];
  if (first === '' && last === '') return undefined;
  if (first === '')
    return Number(last) === 0 ? { status: 416 } : { status: 206, from: Math.max(0, size - Number(last)), to: size - 1 };
  if (last !== '' && Number(last) < Number(first)) return undefined;
  if (Number(first) >= size) return { status: 416 };
  return { status: 206, from: Number(first), to: Math.min(last === '' ? size : Number(last), size - 1) };
}

t.test('any Range header gets the response of RFC 9110 with the right bytes', async (t) => {
  const app = await buildTestApp(t);
  const bytes = await picture();
  const [image] = await storeFiles(app, await signIn(app), [{ name: 'a.png', bytes }]);
  const url = new URL(image?.url ?? '').pathname;

  const number = fc
    .oneof(fc.nat(bytes.length + 20), fc.nat(), fc.constantFrom(0, 1, bytes.length - 1, bytes.length))
    .map(String);
  const end = fc.oneof(number, fc.constant(''), fc.constant('9'.repeat(40)));
  const one = fc.tuple(end, end).map(([first, last]) => `${first}-${last}`);
  const header = fc.oneof(
    { weight: 6, arbitrary: one.map((range) => `bytes=${range}`) },
    one.map((range) => `BYTES=${range}`),
    fc.array(one, { minLength: 2, maxLength: 30 }).map((ranges) => `bytes=${ranges.join(',')}`),
    fc.tuple(fc.constantFrom('bytes', 'lines', '', 'bytes '), one).map(([unit, range]) => `${unit}=${range}`),
    fc.string({ unit: fc.constantFrom(...'bytes=-,0123456789 xe.+'), maxLength: 30 }).map((text) => `bytes=${text}`),
    fc.string({ unit: 'grapheme-ascii', maxLength: 40 }),
  );
  await fc.assert(
    fc.asyncProperty(header, async (range) => {
      const answer = await app.inject({ url, headers: { range } });
      const wanted = model(range, bytes.length);
      const about = JSON.stringify(range);
      if (wanted) t.equal(answer.statusCode, wanted.status, about);
      else t.ok([200, 206, 416].includes(answer.statusCode), `${about}: ${answer.statusCode}`);
      if (answer.statusCode === 200) t.ok(answer.rawPayload.equals(bytes), about);
      if (answer.statusCode !== 206) return;
      const [, from = '', to = ''] = /^bytes (\d+)-(\d+)\/\d+$/.exec(String(answer.headers['content-range'])) ?? [];
      if (wanted?.status === 206) t.same([Number(from), Number(to)], [wanted.from, wanted.to], about);
      t.ok(answer.rawPayload.equals(bytes.subarray(Number(from), Number(to) + 1)), `${about}: the right bytes`);
      t.equal(answer.headers['content-length'], String(answer.rawPayload.length));
    }),
    { numRuns: 100 },
  );
});
