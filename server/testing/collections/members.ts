/** Accounts and pictures of a server process. */
import { randomBytes } from 'node:crypto';
import type { Test } from 'tap';
import { storedFiles } from '../disk.ts';
import { form } from '../form.ts';
import { picture } from '../pictures.ts';
import { createTestDatabase } from '../postgres/database.ts';
import { temporaryFolder } from '../postgres/embedded.ts';
import { type Server, startServer } from '../processes.ts';

type Account = Awaited<ReturnType<typeof register>>;

export async function register({ origin }: Server) {
  const username = `user-${randomBytes(6).toString('hex')}`;
  const body = JSON.stringify({ username, email: `${username}@example.com`, password: 'a long enough password' });
  const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
  await fetch(`${origin}/api/auth/register`, json);
  const login = () => fetch(`${origin}/api/auth/login`, json);
  const answer = await login();
  const { access_token: token, user } = (await answer.json()) as { access_token: string; user: { id: string } };
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  return { id: user.id, username, login, bearer: { authorization: `Bearer ${token}` }, cookie: { cookie } };
}

/** @returns the links of the pictures */
export const upload = async (server: Server, account: Account, colours: string[]): Promise<string[]> =>
  (await uploadImages(server, account, colours)).map(({ url }) => url);

/** @param query of the call, with the options of the upload */
export async function uploadImages({ origin }: Server, { bearer }: Account, colours: string[], query = '') {
  const files = await Promise.all(colours.map(async (colour) => ({ name: 'a.png', bytes: await picture({ colour }) })));
  const { headers, payload: body } = await form(files);
  const answer = await fetch(`${origin}/api/images/upload${query}`, {
    method: 'POST',
    headers: { ...headers, ...bearer },
    body,
  });
  return ((await answer.json()) as { images: { url: string; delete_url?: string }[] }).images;
}

export async function start(t: Test) {
  const env = { DATA_DIR: temporaryFolder(t), DATABASE_URL: (await createTestDatabase(t)).url };
  return { env, server: await startServer(t, env) };
}

/** Files of images, without staging files. */
export const images = async (env: { DATA_DIR: string }) =>
  (await storedFiles(env.DATA_DIR)).filter((file) => /^(originals|thumbnails|screens)\//.test(file));

export const statusOf = async (url: string, headers: Record<string, string> = {}) =>
  (await fetch(url, { headers })).status;
