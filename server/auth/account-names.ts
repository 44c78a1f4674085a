/** How the names and the emails of accounts are compared, and what says that one is taken. */
import { uniqueViolation } from '../database/connect.ts';
import { EmailTaken, UsernameTaken } from '../errors.ts';
import { foldCase } from '../lib/fold.ts';

/**
 * Longer than anything that an account may have, in UTF-16 units. Beyond, time runs away: marks on one letter are put in
 * order by comparing each with each.
 */
const longest = 4096;

/** What a text is compared by, in one of Unicode's normal forms. */
export const normal = (text: string, form: 'NFC' | 'NFKC'): string => text.slice(0, longest).normalize(form);

/** Postgres takes no NUL in a text; an email that holds one is nobody's. */
export const emailKey = (email: string) => foldCase(normal(email, 'NFKC').replaceAll('\0', '\uFFFD'));
export const usernameKey = (username: string) => foldCase(normal(username, 'NFKC'));

/** @returns what a failed change of `users` means to whoever asked for it: UsernameTaken, EmailTaken, or the failure itself */
export function takenName(error: unknown): unknown {
  const constraint = uniqueViolation(error);
  if (constraint === 'users_username_key_unique') return new UsernameTaken();
  if (constraint === 'users_email_key_unique') return new EmailTaken();
  return error;
}
