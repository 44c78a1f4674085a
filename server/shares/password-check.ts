import { passwordMatches } from '../auth/password/passwords.ts';
import type { Database } from '../database/connect.ts';
import { createFailureLimit } from '../http/limits/failure-limit.ts';
import { hasEnded } from '../images/expiry/expiry.ts';

const failuresAMinute = 10;

type Protected = { id: string; passwordHash: string | null; end: number };

/** Whether a password opens a link. Takes the same time for every link, whether it exists, and has a password, or not. */
export type PasswordCheck = (link: Protected | undefined, password: string) => Promise<boolean>;

/** @param kind of the links, which separates the failures of one from those of another */
export function createPasswordCheck(db: Database, kind: string, { limited }: { limited: boolean }): PasswordCheck {
  const failures = createFailureLimit(db, { max: failuresAMinute, windowMs: 60_000 });
  return async (link, password) => {
    const isOpen = link && !hasEnded(link.end);
    const hash = (isOpen && link.passwordHash) || undefined;
    const check = async () => (await passwordMatches(password, hash)) || undefined;
    return (await (hash !== undefined && limited ? failures(`${kind}:${link?.id}`, check) : check())) ?? false;
  };
}
