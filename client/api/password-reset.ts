import type { PasswordReset, ResetRequest, SignInOptions } from '../../server/contract.ts';
import { request } from './client.ts';

let asked: Promise<SignInOptions> | undefined;

/** What this server offers on its sign-in pages; asked once, and again where no answer came. */
async function signInOptions(): Promise<SignInOptions> {
  asked ??= request<SignInOptions>('auth/config', { keepsSession: true });
  try {
    return await asked;
  } catch (error) {
    asked = undefined;
    throw error;
  }
}

/** Whether this server mails links to new passwords. */
export const mailsPasswordResets = async (): Promise<boolean> => (await signInOptions()).password_reset;

/** Where to report abuse, as a link; null where the operator names nobody. */
export const abuseContact = async (): Promise<string | null> => (await signInOptions()).abuse_contact;

/** Answers the same whether there is such an account or not. */
export function requestReset(body: ResetRequest): Promise<void> {
  return request<void>('auth/forgot', { method: 'post', json: body, keepsSession: true });
}

export function resetPassword(body: PasswordReset): Promise<void> {
  return request<void>('auth/reset', { method: 'post', json: body, keepsSession: true });
}
