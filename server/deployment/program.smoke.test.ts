import t from 'tap';
import type { UploadAnswer } from '../contract.ts';
import { newAccount, post } from '../testing/collections/by-command.ts';
import { form } from '../testing/form.ts';
import { picture, svg } from '../testing/pictures.ts';
import { createTestDatabase } from '../testing/postgres/database.ts';
import { temporaryFolder } from '../testing/postgres/embedded.ts';
import { startServer } from '../testing/processes.ts';

t.setTimeout(280_000);

t.test('the shipped program stores and serves pictures', async (t) => {
  const env = { DATA_DIR: temporaryFolder(t), DATABASE_URL: (await createTestDatabase(t)).url };
  const { origin, stop } = await startServer(t, env);
  const account = newAccount();
  t.equal((await post(`${origin}/api/auth/register`, account)).status, 201, 'registration works, with hashing');
  const login = (await (await post(`${origin}/api/auth/login`, account)).json()) as { access_token: string };
  const authorization = `Bearer ${login.access_token}`;
  const files = [
    { name: 'photograph.jpg', bytes: await picture({ format: 'jpeg' }) },
    { name: 'drawing.svg', bytes: svg },
    { name: 'still.avif', bytes: await picture({ format: 'avif' }) },
    { name: 'damaged.jpg', bytes: (await picture({ format: 'jpeg' })).subarray(0, 200) },
  ];
  const { headers, payload } = await form(files);
  const sent = { method: 'POST', headers: { ...headers, authorization }, body: new Uint8Array(payload) };
  const uploaded = await fetch(`${origin}/api/images/upload`, sent);
  t.equal(uploaded.status, 207);
  const { images, rejected } = (await uploaded.json()) as UploadAnswer;
  t.match(rejected, [{ filename: 'damaged.jpg', code: 'DAMAGED_IMAGE' }], 'the decoder process detects the damage');
  t.equal(images.length, 3);
  for (const { url, thumbnail_url } of images) {
    t.equal((await fetch(url)).status, 200);
    t.equal((await fetch(thumbnail_url)).headers.get('content-type'), 'image/webp');
  }
  const list = await fetch(`${origin}/api/images/?page=1&search=draw`, { headers: { authorization } });
  t.match(await list.json(), { total: 1, images: [{ filename: 'drawing.svg' }] });
  t.equal(await stop(), 0);
});
