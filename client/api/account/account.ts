import type {
  AccountChanges,
  AccountDetails,
  ChangedUser,
  PasswordChange,
  PasswordChanged,
  PasswordProof,
  Session,
  SessionList,
  SessionsEnded,
  User,
  UserAnswer,
} from '../../../server/contract.ts';
import { request } from '../client.ts';

export const readAccount = (signal: AbortSignal, background: boolean): Promise<AccountDetails> =>
  request<AccountDetails>('account', { signal, keepsSession: background });

/** Reads the logged-in user from the server. */
export async function readUser(signal: AbortSignal): Promise<User> {
  const { user } = await request<UserAnswer>('auth/me', { signal });
  return user;
}

/** The answer may contain the token of a new session, to be stored (session/renewing.ts). */
export function changeAccount(changes: AccountChanges): Promise<ChangedUser> {
  return request<ChangedUser>('account', { method: 'patch', json: changes });
}

/** Ends every session; the answer contains the token of a new one, to be stored (session/renewing.ts). */
export function changePassword(change: PasswordChange): Promise<PasswordChanged> {
  return request<PasswordChanged>('account/password', { method: 'post', json: change });
}

/** Sorted by last use, latest first. */
export async function listSessions(signal: AbortSignal): Promise<Session[]> {
  const { sessions } = await request<SessionList>('account/sessions', { signal });
  return sessions;
}

export function endSession(id: string): Promise<void> {
  return request<void>(`account/sessions/${encodeURIComponent(id)}`, { method: 'delete' });
}

/** @returns how many sessions ended */
export async function endOtherSessions(): Promise<number> {
  const { ended } = await request<SessionsEnded>('account/sessions', { method: 'delete' });
  return ended;
}

/** Deletes the account with its images. The timeout is long, because a large account takes minutes. */
export function deleteAccount(proof: PasswordProof): Promise<void> {
  return request<void>('account', { method: 'delete', json: proof, timeout: 10 * 60_000 });
}
