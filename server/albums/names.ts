import { InvalidRequest } from '../errors.ts';
import { oneLine } from '../lib/one-line.ts';

const LONGEST = 100;

/** @returns the name as stored: one line, trimmed @throws InvalidRequest */
export function albumName(sent: string): string {
  const name = oneLine(sent);
  const length = Array.from(name).length;
  if (length === 0) throw new InvalidRequest('The album needs a name.');
  if (length > LONGEST) throw new InvalidRequest(`The name of an album has at most ${LONGEST} characters.`);
  return name;
}
