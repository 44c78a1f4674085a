import type { Config } from '../../config/config.ts';
import { PasswordLoginOff } from '../../errors.ts';

/** For each call by which a password logs in, or is set. @throws PasswordLoginOff */
export function assertPasswords({ passwordLogin }: Pick<Config, 'passwordLogin'>): void {
  if (passwordLogin === 'off') throw new PasswordLoginOff();
}
