/** Accounts that use the API over HTTP only. */
import { randomBytes } from 'node:crypto';
import type { UploadAnswer } from '../../server/contract.ts';
import { form, type SentFile } from '../../server/testing/form.ts';
import { type Answer, asJson, call } from './call.ts';

export type Account = {
  id: string;
  username: string;
  email: string;
  password: string;
  token: string;
  /** `name=value` */
  cookie: string;
  bearer: { authorization: string };
};

type Credentials = { username: string; email: string; password: string };

export function randomCredentials(): Credentials {
  const username = `user-${randomBytes(6).toString('hex')}`;
  return { username, email: `${username}@example.com`, password: 'a long enough password' };
}

export async function logIn(origin: string, credentials: Credentials, from?: string): Promise<Account> {
  const answer = await call(origin, '/api/auth/login', { ...asJson(credentials), ...(from ? { from } : {}) });
  if (answer.status !== 200) throw new Error(`login: ${answer.status} ${answer.body}`);
  const { access_token: token, user } = JSON.parse(answer.body) as { access_token: string; user: { id: string } };
  const cookie = answer.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  return { ...credentials, id: user.id, token, cookie, bearer: { authorization: `Bearer ${token}` } };
}

/** @param from the client's address, since registrations per address and hour are limited */
export async function newAccount(origin: string, credentials = randomCredentials(), from?: string): Promise<Account> {
  const answer = await call(origin, '/api/auth/register', { ...asJson(credentials), ...(from ? { from } : {}) });
  if (answer.status !== 201) throw new Error(`registration: ${answer.status} ${answer.body}`);
  return logIn(origin, credentials, from);
}

type Bearer = { bearer: { authorization: string } };

export async function send(origin: string, { bearer }: Bearer, files: SentFile[]): Promise<Answer> {
  const { headers, payload } = await form(files);
  return call(origin, '/api/images/upload', { method: 'POST', headers: { ...headers, ...bearer }, body: payload });
}

export const imagesOf = ({ body }: Answer) => (JSON.parse(body) as UploadAnswer).images;

/** Uploads files and throws unless all are stored. */
export async function store(origin: string, account: Bearer, files: SentFile[]): Promise<UploadAnswer['images']> {
  const answer = await send(origin, account, files);
  if (answer.status !== 201) throw new Error(`upload: ${answer.status} ${answer.body}`);
  return imagesOf(answer);
}

export const pathOf = (url: string | undefined): string => new URL(url ?? '').pathname;
