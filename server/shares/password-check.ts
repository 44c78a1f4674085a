import { passwordMatches } from '../auth/password/passwords.ts';
import type { Database } from '../database/connect.ts';
import { hasEnded } from '../images/expiry/expiry.ts';
import { createPasswordAttempts } from './password-attempts.ts';

type Protected = { id: string; passwordHash: string | null; end: number };

/** Whether a password opens a link. Takes the same time for every link, whether it exists, and has a password, or not. */
export type PasswordCheck = (link: Protected | undefined, password: string, ip: string) => Promise<boolean>;

/** @param kind of the links, which separates the failures of one from those of another */
export function createPasswordCheck(db: Database, kind: string, { limited }: { limited: boolean }): PasswordCheck {
  const attempt = createPasswordAttempts(db);
  return async (link, password, ip) => {
    const isOpen = link && !hasEnded(link.end);
    const hash = (isOpen && link.passwordHash) || undefined;
    const check = () => passwordMatches(password, hash, ip);
    return hash !== undefined && limited ? attempt(`${kind}:${link?.id}`, ip, check) : check();
  };
}
