import t from 'tap';
import { signIn } from '../testing/account.ts';
import { buildTestApp } from '../testing/app.ts';
import { storeFiles } from '../testing/form.ts';
import { picture } from '../testing/pictures.ts';

t.test('a copy is known by a weak tag, in a list and by *, on every route with an ETag', async (t) => {
  const app = await buildTestApp(t);
  const account = await signIn(app);
  const [image] = await storeFiles(app, account, [{ name: 'a.png', bytes: await picture() }]);
  const pathOf = (url = '') => new URL(url).pathname;
  const urls = [
    pathOf(image?.url),
    pathOf(image?.thumbnail_url),
    `/api/images/${image?.id}/original`,
    '/api/openapi.json',
  ];
  for (const url of urls) {
    const statusOf = async (known: string) =>
      (await app.inject({ url, headers: { ...account.bearer, 'if-none-match': known } })).statusCode;
    const etag = String((await app.inject({ url, headers: account.bearer })).headers.etag);
    for (const known of [etag, `W/${etag}`, `"x", W/${etag},"y"`, ' * '])
      t.equal(await statusOf(known), 304, `${url} ${known}`);
    for (const other of ['"x"', etag.slice(1, -1), `"${etag}"`, ''])
      t.equal(await statusOf(other), 200, `${url} ${other}`);
  }
});
