import type { PasswordReset, ResetRequest, SignInOptions } from '../../server/contract.ts';
import { request } from './client.ts';

let asked: Promise<SignInOptions> | undefined;

/** Whether this server mails links to new passwords; asked once, and again where no answer came. */
export async function mailsPasswordResets(): Promise<boolean> {
  asked ??= request<SignInOptions>('auth/config', { keepsSession: true });
  try {
    return (await asked).password_reset;
  } catch (error) {
    asked = undefined;
    throw error;
  }
}

/** Answers the same whether there is such an account or not. */
export function requestReset(body: ResetRequest): Promise<void> {
  return request<void>('auth/forgot', { method: 'post', json: body, keepsSession: true });
}

export function resetPassword(body: PasswordReset): Promise<void> {
  return request<void>('auth/reset', { method: 'post', json: body, keepsSession: true });
}
