import type {
  AccountChanges,
  ChangedUser,
  PasswordChange,
  PasswordChanged,
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

/** The answer may bring the token of a new session: keep it (session/renewing.ts). */
export function changeAccount(changes: AccountChanges): Promise<ChangedUser> {
  return request<ChangedUser>('account', { method: 'patch', json: changes });
}

/** Every session ends; the answer brings the token of a new one: keep it (session/renewing.ts). */
export function changePassword(change: PasswordChange): Promise<PasswordChanged> {
  return request<PasswordChanged>('account/password', { method: 'post', json: change });
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
