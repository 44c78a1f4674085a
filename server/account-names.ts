/** How the names and the emails of accounts are compared, and what says that one is taken. */
import { uniqueViolation } from './database/connect.ts';
import { EmailTaken, UsernameTaken } from './errors.ts';
import { foldCase } from './fold.ts';

/** Postgres takes no NUL in a text; an email that holds one is nobody's. */
export const emailKey = (email: string) => foldCase(email.normalize('NFKC').replaceAll('\0', '\uFFFD'));
export const usernameKey = (username: string) => foldCase(username.normalize('NFKC'));

/** @returns what a failed change of `users` means to whoever asked for it: UsernameTaken, EmailTaken, or the failure itself */
export function takenName(error: unknown): unknown {
  const constraint = uniqueViolation(error);
  if (constraint === 'users_username_key_unique') return new UsernameTaken();
  if (constraint === 'users_email_key_unique') return new EmailTaken();
  return error;
}
