import type { LoginAnswer, LoginBody, ProviderLogout, RegisterAnswer, RegisterBody } from '../../../server/contract.ts';
import { request } from '../client.ts';

let leaving: Promise<unknown> = Promise.resolve();

/** Waits for a pending logout first: its answer clears the cookie, and must not clear the new one. */
export async function login(body: LoginBody): Promise<LoginAnswer> {
  await leaving;
  return request<LoginAnswer>('auth/login', { method: 'post', json: body, keepsSession: true });
}

export function register(body: RegisterBody): Promise<RegisterAnswer> {
  return request<RegisterAnswer>('auth/register', { method: 'post', json: body, keepsSession: true });
}

/** Revokes `token` on the server. Never rejects: an offline logout still logs out here. */
export function logout(token: string): Promise<ProviderLogout | undefined> {
  const options = { method: 'post', token, keepsSession: true, keepalive: true, timeout: 5000 } as const;
  const answer = request<ProviderLogout>('auth/provider/logout', options).catch(() => undefined);
  leaving = answer;
  return answer;
}
