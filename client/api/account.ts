import type {
  AccountChanges,
  PasswordChange,
  Session,
  SessionList,
  SessionsEnded,
  User,
  UserAnswer,
} from '../../server/contract.ts';
import { request } from './client.ts';

/** The signed-in user as the server knows it now. */
export async function readUser(signal: AbortSignal): Promise<User> {
  const { user } = await request<UserAnswer>('auth/me', { signal });
  return user;
}

export async function changeAccount(changes: AccountChanges): Promise<User> {
  const { user } = await request<UserAnswer>('account', { method: 'patch', json: changes });
  return user;
}

/** @returns how many other sessions ended */
export async function changePassword(change: PasswordChange): Promise<number> {
  const { ended } = await request<SessionsEnded>('account/password', { method: 'post', json: change });
  return ended;
}

/** The one used last first. */
export async function listSessions(signal: AbortSignal): Promise<Session[]> {
  const { sessions } = await request<SessionList>('account/sessions', { signal });
  return sessions;
}

export function endSession(id: string): Promise<void> {
  return request<void>(`account/sessions/${encodeURIComponent(id)}`, { method: 'delete' });
}

/** @returns how many there were */
export async function endOtherSessions(): Promise<number> {
  const { ended } = await request<SessionsEnded>('account/sessions', { method: 'delete' });
  return ended;
}

/** With every image in it: a large account's rows take their time. */
export function deleteAccount(password: string): Promise<void> {
  return request<void>('account', { method: 'delete', json: { password }, timeout: 10 * 60_000 });
}
