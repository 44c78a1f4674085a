import type { PasswordReset, ResetRequest, SignInOptions } from '../../server/contract.ts';
import { request } from './client.ts';

let asked: Promise<SignInOptions> | undefined;

/** The server's options for the login pages; fetched once, again after a failure. */
async function signInOptions(): Promise<SignInOptions> {
  asked ??= request<SignInOptions>('auth/config', { keepsSession: true });
  try {
    return await asked;
  } catch (error) {
    asked = undefined;
    throw error;
  }
}

/** Whether this server mails links for password resets. */
export const mailsPasswordResets = async (): Promise<boolean> => (await signInOptions()).password_reset;

/** The link for reporting abuse; null if the operator names no contact. */
export const abuseContact = async (): Promise<string | null> => (await signInOptions()).abuse_contact;

/** The answer does not reveal whether the account exists. */
export function requestReset(body: ResetRequest): Promise<void> {
  return request<void>('auth/forgot', { method: 'post', json: body, keepsSession: true });
}

export function resetPassword(body: PasswordReset): Promise<void> {
  return request<void>('auth/reset', { method: 'post', json: body, keepsSession: true });
}
