import { picture } from '../../../server/testing/pictures.ts';
import { abuse } from '../../testing/abuse.ts';
import { newAccount, pathOf, store } from '../../testing/account.ts';
import { call, refused } from '../../testing/call.ts';
import { serve } from '../../testing/machine/loopback.ts';

abuse('A22', 'a link holds 128 random bits and does not contain the image’s id', async (t) => {
  const { origin } = await serve(t);
  const account = await newAccount(origin);
  const bytes = await picture({ width: 4, height: 4 });
  const keys: Buffer[] = [];
  for (let round = 0; round < 2; round += 1) {
    const images = await store(
      origin,
      account,
      Array.from({ length: 100 }, () => ({ name: 'a.png', bytes })),
    );
    for (const { url, id } of images) {
      const [, key = ''] = /^\/i\/([\w-]{22})\.png$/.exec(pathOf(url)) ?? [];
      t.equal(Buffer.from(key, 'base64url').length, 16, 'sixteen bytes');
      t.notOk(url.includes(id) || url.includes(id.replaceAll('-', '')), 'the id is not in it');
      keys.push(Buffer.from(key, 'base64url'));
    }
  }
  t.equal(new Set(keys.map(String)).size, keys.length);
  // Each of the 128 bits is random: 200 draws stay within five standard deviations (35) of half.
  for (let bit = 0; bit < 128; bit += 1) {
    const ones = keys.filter((key) => ((key[bit >> 3] ?? 0) >> (bit & 7)) & 1).length;
    t.ok(Math.abs(ones - keys.length / 2) <= 36, `bit ${bit}: ${ones} of ${keys.length}`);
  }
});

abuse('A22', 'links are not listed anywhere, and search engines may not index them', async (t) => {
  const { origin } = await serve(t);
  const [image] = await store(origin, await newAccount(origin), [{ name: 'a.png', bytes: await picture() }]);
  for (const path of ['/i', '/i/', '/i?list', '/api/images', '/api/images/?owner=*', '/sitemap.xml', '/feed', '/rss'])
    refused(t, await call(origin, path), [401, 404], path);
  for (const url of [image?.url, image?.thumbnail_url])
    t.match((await call(origin, pathOf(url))).headers['x-robots-tag'], /noindex/);
});
