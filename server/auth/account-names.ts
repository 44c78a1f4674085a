/** Compares usernames and emails of accounts, and maps constraint violations to errors. */
import { domainToASCII } from 'node:url';
import { uniqueViolation } from '../database/connect.ts';
import { EmailTaken, UsernameTaken } from '../errors.ts';
import { foldCase } from '../lib/fold.ts';

/** UTF-16 units, more than any account field may have. Normalization is quadratic in the marks on one letter. */
const longest = 4096;

/** The normalized form for comparison. */
export const normal = (text: string, form: 'NFC' | 'NFKC'): string => text.slice(0, longest).normalize(form);

/** Browsers send domains in ASCII (`xn--…`), other programs as they were typed. @returns ASCII, if the domain is a valid one */
function withAsciiDomain(email: string): string {
  const [, domain = ''] = /@([^@]{1,255})$/.exec(email) ?? [];
  const isAscii = /^[\0-\x7F]*$/.test(domain);
  return isAscii ? email : email.slice(0, -domain.length) + (domainToASCII(domain) || domain);
}

/** Postgres text cannot hold NUL, so no stored email contains one. */
export const emailKey = (email: string) => foldCase(withAsciiDomain(normal(email, 'NFKC').replaceAll('\0', '\uFFFD')));
export const usernameKey = (username: string) => foldCase(normal(username, 'NFKC'));

/** @returns UsernameTaken or EmailTaken if that caused the failed change of `users`, else the error itself */
export function takenName(error: unknown): unknown {
  const constraint = uniqueViolation(error);
  if (constraint === 'users_username_key_unique') return new UsernameTaken();
  if (constraint === 'users_email_key_unique') return new EmailTaken();
  return error;
}
