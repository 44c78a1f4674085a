import type { EmailConfirmation, MailSettings, PendingEmail } from '../../../server/contract.ts';
import { request } from '../client.ts';

export function readMailSettings(signal: AbortSignal): Promise<MailSettings> {
  return request<MailSettings>('account/mail', { signal });
}

export function setLoginMails(login_mails: boolean): Promise<MailSettings> {
  return request<MailSettings>('account/mail', { method: 'patch', json: { login_mails } });
}

/** Mails a new link for the pending email; the previous link becomes invalid. */
export function resendConfirmation(language: 'en' | 'ar'): Promise<PendingEmail> {
  return request<PendingEmail>('account/mail/resend', { method: 'post', searchParams: { language } });
}

export function cancelEmail(): Promise<void> {
  return request<void>('account/mail/pending', { method: 'delete' });
}

/** Needs no login: the link's secret is the authorization. */
export function confirmEmail(body: EmailConfirmation): Promise<void> {
  return request<void>('auth/email', { method: 'post', json: body, keepsSession: true });
}
