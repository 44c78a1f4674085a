import type { PasswordReset, ResetOffer, ResetRequest, SignInOptions } from '../../../server/contract.ts';
import { request } from '../client.ts';

/** The server's options for the login pages. */
export const readSignInOptions = (signal: AbortSignal): Promise<SignInOptions> =>
  request<SignInOptions>('auth/config', { signal, keepsSession: true });

/** The answer does not reveal whether the account exists. */
export function requestReset(body: ResetRequest): Promise<void> {
  return request<void>('auth/forgot', { method: 'post', json: body, keepsSession: true });
}

/** What the link to a new password changes. */
export const readReset = (token: string, signal: AbortSignal): Promise<ResetOffer> =>
  request<ResetOffer>('auth/reset/offer', { method: 'post', json: { token }, keepsSession: true, signal });

export function resetPassword(body: PasswordReset): Promise<void> {
  return request<void>('auth/reset', { method: 'post', json: body, keepsSession: true });
}
