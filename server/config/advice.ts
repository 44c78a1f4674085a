/** Advice on settings, logged at the start. */
import type { Config } from './config.ts';

/** Undefined if strangers cannot fill the disk. */
export function quotaAdvice({ registration, quota }: Pick<Config, 'registration' | 'quota'>): string | undefined {
  if (registration !== 'open' || quota !== undefined) return undefined;
  return 'registration is open and QUOTA is not set: one account can fill the disk; set QUOTA=10GB, or REGISTRATION=invite, approval or closed';
}
