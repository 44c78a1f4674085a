import { sql } from 'drizzle-orm';
import t from 'tap';
import type { ExpiringImages } from '../contract.ts';
import { signIn, type TestAccount } from '../testing/account.ts';
import { createApiToken } from '../testing/api-token.ts';
import { buildTestApp } from '../testing/app.ts';
import { storeFiles } from '../testing/form.ts';
import { noise } from '../testing/pictures.ts';

const app = await buildTestApp(t);

type Bearer = Pick<TestAccount, 'bearer'>;

async function store(account: Bearer, name: string, query = ''): Promise<string> {
  const [image] = await storeFiles(app, account, [{ name, bytes: await noise(40, 30, 'png') }], { query });
  if (!image) throw new Error('nothing was stored');
  return image.id;
}

async function listed({ bearer }: Bearer) {
  const answer = await app.inject({ url: '/api/images/expiring', headers: bearer });
  const { images, total } = answer.json<ExpiringImages>();
  return { names: images.map(({ filename }) => filename), total };
}

t.test('lists what will expire, the next one first, and nothing of other accounts', async (t) => {
  const account = await signIn(app);
  await store(account, 'late.png', '?expires_in=7d');
  await store(account, 'never.png');
  const soon = await store(account, 'soon.png', '?expires_in=1h');
  const over = await store(account, 'over.png', '?expires_in=1h');
  await app.db.execute(sql`update images set expires_at = now() - interval '1 second' where id = ${over}`);
  await store(await signIn(app), 'theirs.png', '?expires_in=1h');
  t.same(await listed(account), { names: ['soon.png', 'late.png'], total: 2 });

  const post = (url: string, payload: object) =>
    app.inject({ method: 'POST', url: `/api/albums${url}`, headers: account.bearer, payload });
  const { album } = (await post('', { name: 'Trip' })).json();
  await post(`/${album.id}/images`, { ids: [soon] });
  const token = await createApiToken(app, account, ['images:read'], { album: album.id });
  t.same(await listed(token), { names: ['soon.png'], total: 1 }, 'by a token of an album');
});

t.test('lists a hundred and counts all', async (t) => {
  const account = await signIn(app);
  const id = await store(account, 'a.png', '?expires_in=1h');
  await app.db.execute(sql`insert into images (id, owner_id, content_id, link_key, filename, search_name, extension,
      content_type, size, sha256, width, height, placeholder, expires_at)
    select gen_random_uuid(), owner_id, content_id, lpad(number::text, 22, '0'), filename, search_name, extension,
      content_type, size, sha256, width, height, placeholder, expires_at
    from images, generate_series(1, 100) number where id = ${id}::uuid`);
  const { names, total } = await listed(account);
  t.equal(names.length, 100);
  t.equal(total, 101);
});
