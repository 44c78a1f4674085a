import type { Config } from '../../../config/config.ts';
import { WrongUsage } from './failures.ts';

/** What a printed link begins with. @throws WrongUsage */
export function originOf(given: string | undefined, { publicUrl }: Pick<Config, 'publicUrl'>): string {
  const url = given ?? publicUrl;
  if (url === undefined) throw new WrongUsage('Set PUBLIC_URL, or give --origin: the link begins with it.');
  return url.replace(/\/$/, '');
}
