/** The built server on an embedded database in a temporary folder, with one user and, where wanted, pictures. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export async function startServer() {
  const [{ buildApp }, { readConfig }] = await Promise.all([
    import('../../build/server/app.js'),
    import('../../build/server/config.js'),
  ]);
  const folder = await mkdtemp(join(tmpdir(), 'gallery-screenshots-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const config = { DATA_DIR: folder, RATE_LIMIT: 'off', LOG_LEVEL: 'error', PAGE_SIZE: '9' };
    const app = await buildApp(readConfig(config));
    await app.listen({ host: '127.0.0.1', port: 0 });
    const origin = `http://127.0.0.1:${app.server.address().port}`;
    return { origin, stop: () => app.close().finally(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

const json = async (answer) => {
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
};

/** @returns {Promise<{ access_token: string, user: object }>} */
export async function signUp(origin, username) {
  const account = { username, email: `${username}@example.com`, password: 'a long enough password' };
  const post = (call) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(call),
  });
  await json(await fetch(`${origin}/api/auth/register`, post(account)));
  const { email, password } = account;
  return json(await fetch(`${origin}/api/auth/login`, post({ email, password })));
}

/** Uploads the pictures one after another, so that the first of them is the newest. */
export async function upload(origin, { access_token }, pictures) {
  for (const { name, type, bytes } of [...pictures].reverse()) {
    const body = new FormData();
    body.append('images', new Blob([bytes], { type }), name);
    const headers = { authorization: `Bearer ${access_token}` };
    await json(await fetch(`${origin}/api/images/upload`, { method: 'POST', headers, body }));
  }
}

/** An album of the account's newest images, with a public link. */
export async function makeAlbum(origin, { access_token }, name, count) {
  const call = async (path, options = {}) =>
    json(
      await fetch(`${origin}/api/${path}`, {
        ...options,
        headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      }),
    );
  const { images } = await call('images/');
  const { album } = await call('albums/', { method: 'POST', body: JSON.stringify({ name }) });
  const ids = images.slice(0, count).map(({ id }) => id);
  await call(`albums/${album.id}/images`, { method: 'POST', body: JSON.stringify({ ids }) });
  await call(`albums/${album.id}/link`, { method: 'POST', body: '{}' });
}
