import type { Config } from '../../../config/config.ts';
import { WrongUsage } from './failures.ts';

/** The origin of an http or https URL without a path; undefined for anything else. */
function parse(text: string): string | undefined {
  try {
    const { origin, protocol, href } = new URL(text);
    return /^https?:$/.test(protocol) && href === `${origin}/` ? origin : undefined;
  } catch {
    return undefined;
  }
}

/** What a printed link begins with. @throws WrongUsage */
export function originOf(given: string | undefined, { publicUrl }: Pick<Config, 'publicUrl'>): string {
  if (given === undefined) {
    if (publicUrl !== undefined) return publicUrl.replace(/\/$/, '');
    throw new WrongUsage('Set PUBLIC_URL, or give --origin: the link begins with it.');
  }
  const origin = parse(given);
  if (origin === undefined)
    throw new WrongUsage('--origin needs a URL without a path, like https://gallery.example.com.');
  return origin;
}
