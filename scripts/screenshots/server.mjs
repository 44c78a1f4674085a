/** Starts the built server on an embedded database in a temporary folder, and fills it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export async function startServer() {
  const [{ buildApp }, { readConfig }] = await Promise.all([
    import('../../build/server/app.js'),
    import('../../build/server/config/read-config.js'),
  ]);
  const folder = await mkdtemp(join(tmpdir(), 'gallery-screenshots-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const config = { DATA_DIR: folder, RATE_LIMIT: 'off', LOG_LEVEL: 'error', PAGE_SIZE: '9' };
    const app = await buildApp(readConfig(config));
    await app.listen({ host: '127.0.0.1', port: 0 });
    const origin = `http://127.0.0.1:${app.server.address().port}`;
    return { origin, app, stop: () => app.close().finally(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

const json = async (answer) => {
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
};

const desktop = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const elsewhere = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:144.0) Gecko/20100101 Firefox/144.0',
];
const password = 'a long enough password';
const emailOf = (username) => `${username}@example.com`;

const post = (call, userAgent) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', 'user-agent': userAgent },
  body: JSON.stringify(call),
});

const logIn = async (origin, username, userAgent) =>
  json(await fetch(`${origin}/api/auth/login`, post({ email: emailOf(username), password }, userAgent)));

/** @returns {Promise<{ access_token: string, user: object }>} */
export async function signUp(origin, username) {
  await json(
    await fetch(`${origin}/api/auth/register`, post({ username, email: emailOf(username), password }, desktop)),
  );
  return logIn(origin, username, desktop);
}

/** Creates two more sessions of the account, for the session list. */
export async function logInElsewhere(origin, username) {
  for (const userAgent of elsewhere) await logIn(origin, username, userAgent);
}

/** Uploads the pictures in reverse order, so that the first is the newest. */
export async function upload(origin, { access_token }, pictures) {
  for (const { name, type, bytes } of [...pictures].reverse()) {
    const body = new FormData();
    body.append('images', new Blob([bytes], { type }), name);
    const headers = { authorization: `Bearer ${access_token}` };
    await json(await fetch(`${origin}/api/images/upload`, { method: 'POST', headers, body }));
  }
}

/** Sets when the images at these places of the list expire. @param ends by place, such as `3d` */
export async function setEnds(origin, { access_token }, ends) {
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
  const { images } = await json(await fetch(`${origin}/api/images/`, { headers }));
  for (const [place, expires_in] of Object.entries(ends)) {
    const body = JSON.stringify({ expires_in });
    await json(await fetch(`${origin}/api/images/${images[place].id}`, { method: 'PATCH', headers, body }));
  }
}

/** Creates stable links to the images at these places of the list. */
export async function makeStableLinks(origin, { access_token }, links) {
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' };
  const { images } = await json(await fetch(`${origin}/api/images/`, { headers }));
  for (const [name, place] of Object.entries(links)) {
    const body = JSON.stringify({ name, image: images[place].id });
    await json(await fetch(`${origin}/api/stable-links`, { method: 'POST', headers, body }));
  }
}

/** Creates an album of the images at these places of the list, optionally with a public link. */
export async function makeAlbum(origin, { access_token }, name, places, isPublic = false) {
  const call = async (path, options = {}) =>
    json(
      await fetch(`${origin}/api/${path}`, {
        ...options,
        headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
      }),
    );
  const pages = await Promise.all([call('images/?page=1'), call('images/?page=2')]);
  const images = pages.flatMap((page) => page.images);
  const { album } = await call('albums/', { method: 'POST', body: JSON.stringify({ name }) });
  const ids = places.map((place) => images[place].id);
  await call(`albums/${album.id}/images`, { method: 'POST', body: JSON.stringify({ ids }) });
  if (isPublic) await call(`albums/${album.id}/link`, { method: 'POST', body: '{}' });
}
