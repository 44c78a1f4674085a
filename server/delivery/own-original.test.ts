import { createHash } from 'node:crypto';
import contentDisposition from 'content-disposition';
import t from 'tap';
import { signIn } from '../testing/account.ts';
import { buildTestApp } from '../testing/app.ts';
import { storeFiles } from '../testing/form.ts';
import { noise, picture, svg } from '../testing/pictures.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const pathOf = (id: string) => `/api/images/${id}/original`;

const app = await buildTestApp(t);

t.test('the owner gets the unchanged bytes as an attachment that no cache stores', async (t) => {
  const account = await signIn(app);
  const bytes = await noise(300, 200);
  const [image] = await storeFiles(app, account, [{ name: 'Ferien – 1.jpg', bytes }]);
  const url = pathOf(image?.id ?? '');
  const answer = await app.inject({ url, headers: account.bearer });
  t.equal(answer.statusCode, 200);
  t.equal(sha256(answer.rawPayload), sha256(bytes));
  t.match(answer.headers, {
    'content-type': 'image/jpeg',
    'content-length': String(bytes.length),
    'cache-control': 'private, no-store',
    'content-security-policy': /default-src 'none'.*sandbox/,
    'x-content-type-options': 'nosniff',
    'content-disposition': /^attachment; /,
  });
  const header = String(answer.headers['content-disposition']);
  t.equal(contentDisposition.parse(header).parameters.filename, 'Ferien – 1.jpg');

  const byCookie = await app.inject({ url, headers: { cookie: account.cookie } });
  t.equal(sha256(byCookie.rawPayload), sha256(bytes), 'the cookie alone is enough');
  const head = await app.inject({ method: 'HEAD', url, headers: account.bearer });
  t.match(head, { statusCode: 200, body: '' });
  t.equal(head.headers['content-length'], String(bytes.length));
  const part = await app.inject({ url, headers: { ...account.bearer, range: 'bytes=5-14' } });
  t.equal(part.statusCode, 206);
  t.ok(part.rawPayload.equals(bytes.subarray(5, 15)));
});

t.test('an original answers 401 without a login and 404 to other accounts', async (t) => {
  const [owner, other] = [await signIn(app), await signIn(app)];
  const [image] = await storeFiles(app, owner, [{ name: 'a.png', bytes: await picture() }]);
  const id = image?.id ?? '';
  t.equal((await app.inject(pathOf(id))).statusCode, 401);
  t.equal((await app.inject({ url: pathOf(id), headers: other.bearer })).statusCode, 404);
  for (const unknown of ['0198c0de-0000-7000-8000-000000000000', 'x', '%00', '..%2f..%2fjwt-secret', `${id}%00`]) {
    const answer = await app.inject({ url: pathOf(unknown), headers: owner.bearer });
    t.equal(answer.statusCode, 404, unknown);
    t.equal(answer.headers['cache-control'], 'no-store');
  }
  const deletion = { method: 'DELETE' as const, url: `/api/images/delete/${id}`, headers: owner.bearer };
  t.equal((await app.inject(deletion)).statusCode, 204);
  t.equal((await app.inject({ url: pathOf(id), headers: owner.bearer })).statusCode, 404, 'deleted with the image');
});

t.test('an SVG is sandboxed for its owner too', async (t) => {
  const account = await signIn(app);
  const bytes = svg.replace('<rect', '<script>alert(1)</script><rect');
  const [image] = await storeFiles(app, account, [{ name: 'a.svg', bytes }]);
  const answer = await app.inject({ url: pathOf(image?.id ?? ''), headers: account.bearer });
  t.equal(answer.body, bytes);
  t.match(answer.headers, {
    'content-type': 'image/svg+xml',
    'content-disposition': /^attachment/,
    'content-security-policy': /default-src 'none'.*sandbox/,
    'x-content-type-options': 'nosniff',
  });
});
