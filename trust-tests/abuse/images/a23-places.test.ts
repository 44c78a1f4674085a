import { noExiftool, readTags, telling } from '../../../server/decoder/testing/exiftool.ts';
import { placed, unreadable } from '../../../server/testing/pictures.ts';
import { abuse } from '../../testing/abuse.ts';
import { imagesOf, newAccount, pathOf, send, store } from '../../testing/account.ts';
import { call, refused } from '../../testing/call.ts';
import { serve } from '../../testing/machine/loopback.ts';
import { measured } from '../../testing/measured.ts';
import { corpusBytes, corpusFiles, withoutCorpus } from '../../testing/pictures/corpus.ts';

abuse('A23', 'links never serve a picture’s location, whole or in ranges', async (t) => {
  const { origin } = await serve(t);
  const account = await newAccount(origin);
  const sent = new Map<string, Buffer>([['placed.jpg', await placed()]]);
  for (const { file, gps, expected } of corpusFiles())
    if (expected !== 'reject' && (gps === 'yes' || /^(?:camera|orient|policy|hostile)_/.test(file)))
      sent.set(file, corpusBytes(file));

  const served = new Map<string, Buffer>();
  let withheld = 0;
  for (const [name, bytes] of sent) {
    const answer = await send(origin, account, [{ name, bytes }]);
    if (answer.status !== 201) continue;
    const [image] = imagesOf(answer);
    for (const url of [image?.url, image?.thumbnail_url, image?.screen_url]) {
      const path = pathOf(url);
      const whole = await call(origin, path);
      if (whole.status === 403) {
        t.equal(image?.location, 'withheld');
        refused(t, whole, 403, name);
        refused(t, await call(origin, path, { headers: { range: 'bytes=0-99' } }), 403, `${name}: a part of it`);
        withheld += 1;
        continue;
      }
      t.equal(whole.status, 200);
      served.set(`${served.size}-${path.replaceAll('/', '-')}`, whole.bytes);
      const middle = Math.floor(whole.bytes.length / 3);
      const pieces = [`bytes=0-${middle}`, `bytes=${middle + 1}-`];
      const got = await Promise.all(pieces.map((range) => call(origin, path, { headers: { range } })));
      t.ok(Buffer.concat(got.map((piece) => piece.bytes)).equals(whole.bytes), `${name}: the ranges match the whole`);
    }
    const own = await call(origin, `/api/images/${image?.id}/original`, { headers: account.bearer });
    t.ok(own.bytes.equals(bytes), `${name}: the owner gets every byte`);
  }
  await t.test('ExifTool finds no location in what links serve', { skip: noExiftool }, async (t) => {
    const before = await readTags(sent);
    t.ok(
      [...sent.keys()].some((key) => telling(before.get(key)).length > 0),
      'ExifTool finds locations in the originals',
    );
    const after = await readTags(served);
    const found = [...after].flatMap(([key, tags]) => telling(tags).map((tag) => `${key}: ${tag}`));
    t.same(found, []);
    const seen = `${found.length} tags in ${served.size} served, ${withheld} withheld`;
    // Without the real files, one generated picture is not a measurement.
    if (!withoutCorpus) measured('G5', { seen, held: found.length === 0 });
  });
});

abuse('A23', 'an original that cannot be redacted is served to its owner only', async (t) => {
  const { origin } = await serve(t);
  const [owner, other] = [await newAccount(origin), await newAccount(origin)];
  const bytes = await unreadable();
  const [image] = await store(origin, owner, [{ name: 'odd.jpg', bytes }]);
  t.equal(image?.location, 'withheld');
  for (const headers of [{}, owner.bearer, other.bearer, { range: 'bytes=0-' }])
    refused(t, await call(origin, pathOf(image?.url), { headers }), 403, 'by its link');
  t.equal(
    (await call(origin, pathOf(image?.thumbnail_url))).status,
    200,
    'its thumbnail has no location and is served',
  );
  refused(t, await call(origin, `/api/images/${image?.id}/original`, { headers: other.bearer }), 404, 'by its id');
  t.ok((await call(origin, `/api/images/${image?.id}/original`, { headers: owner.bearer })).bytes.equals(bytes));
});
