import type { FastifyRequest } from 'fastify';
import type { UserRow } from '../../drizzle/schema.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../database/connect.ts';
import { WrongPassword } from '../errors.ts';
import { addressKey } from '../http/limits/address.ts';
import { createLoginAttempts } from './attempts.ts';
import { noteWrongProof } from './note-failure.ts';
import { assertPasswords } from './password/assert-passwords.ts';
import { passwordMatches } from './password/passwords.ts';
import { findUserByEmail } from './queries.ts';

export type Credentials = ReturnType<typeof createCredentials>;

/** Checks passwords. All attempts count together, at login and elsewhere (attempts.ts). */
export function createCredentials(db: Database, config: Pick<Config, 'passwordLogin' | 'rateLimit'>) {
  const limited = config.rateLimit === 'on';
  const attempts = createLoginAttempts(db);

  /** @returns undefined for an unknown email or a wrong password @throws TooManyRequests, ServerBusy */
  async function check(email: string, password: string, ip: string): Promise<UserRow | undefined> {
    const look = async () => {
      const found = await findUserByEmail(db, email);
      return (await passwordMatches(password, found?.passwordHash, ip)) ? found : undefined;
    };
    return limited ? attempts(email, addressKey(ip), look) : look();
  }

  return {
    check,

    /** Checks a password again. @returns the account as it was then @throws PasswordLoginOff, WrongPassword, TooManyRequests, ServerBusy */
    async confirm(request: FastifyRequest, password: string): Promise<UserRow> {
      assertPasswords(config);
      const { account, ip } = request;
      const user = await check(account.email, password, ip);
      // Another account may have this email by now.
      if (user?.id === account.id) return user;
      await noteWrongProof(db, request, { reason: 'password' });
      throw new WrongPassword();
    },
  };
}
