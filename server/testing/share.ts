import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import type { Image, NewShare, Share } from '../contract.ts';
import { signIn } from './account.ts';
import { storeFiles } from './form.ts';
import { picture } from './pictures.ts';

export const password = 'rather-a-good-one';

const file = await picture({ width: 40, height: 20 });

/** An account with images, which it shares. */
export async function accountWith(app: FastifyInstance, files = [{ name: 'secret-name.png', bytes: file }]) {
  const account = await signIn(app);
  const images: Image[] = await storeFiles(app, account, files);
  const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path = '', payload?: object) =>
    app.inject({ method, url: `/api/shares${path}`, headers: account.bearer, ...(payload && { payload }) });
  const ids = images.map(({ id }) => id);
  const create = (options: Partial<NewShare> = {}) => call('POST', '', { name: 'Summer', images: ids, ...options });
  const album = async (name = 'Trip') => {
    const post = (url: string, payload: object) =>
      app.inject({ method: 'POST', url: `/api/albums${url}`, headers: account.bearer, payload });
    const { id } = (await post('', { name })).json().album as { id: string };
    const add = (added: string[]) => post(`/${id}/images`, { ids: added });
    await add(ids);
    return { id, add };
  };
  /** @throws if it is refused */
  const share = async (options: Partial<NewShare> = {}): Promise<Share & { path: string }> => {
    const answer = await create(options);
    if (answer.statusCode !== 201) throw new Error(`no share was created: ${answer.body}`);
    const made = answer.json<{ share: Share }>().share;
    return { ...made, path: new URL(made.url).pathname };
  };
  return { account, images, ids, call, create, album, share };
}

/** Sends the form of a share's page. */
export const sendPassword = (app: FastifyInstance, path: string, sent = password, headers = {}) =>
  app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams({ password: sent }).toString(),
  });

/** @returns the headers of a visitor who gave the password */
export async function visitorOf(app: FastifyInstance, path: string, sent = password) {
  const answer = await sendPassword(app, path, sent);
  if (answer.statusCode !== 303) throw new Error(`the password was refused: ${answer.statusCode}`);
  return { cookie: answer.cookies.map(({ name, value }) => `${name}=${value}`).join('; ') };
}

/** The addresses below the share on its page: originals or screen renditions, thumbnails, archives. */
export const addressesOn = ({ body }: LightMyRequestResponse): string[] => [
  ...new Set(
    [...body.replaceAll('&amp;', '&').matchAll(/\/s\/[\w-]+\/(?:i|zip)[\w./?=-]*/g)].map(([address]) => address),
  ),
];
