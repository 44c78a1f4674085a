import type { PasswordReset, ResetRequest, SignInOptions } from '../../../server/contract.ts';
import { request } from '../client.ts';

/** The server's options for the login pages. */
export const readSignInOptions = (signal: AbortSignal): Promise<SignInOptions> =>
  request<SignInOptions>('auth/config', { signal, keepsSession: true });

/** The answer does not reveal whether the account exists. */
export function requestReset(body: ResetRequest): Promise<void> {
  return request<void>('auth/forgot', { method: 'post', json: body, keepsSession: true });
}

export function resetPassword(body: PasswordReset): Promise<void> {
  return request<void>('auth/reset', { method: 'post', json: body, keepsSession: true });
}
