import { InvalidRequest } from '../errors.ts';

/** Code points. */
const longest = 2000;

/** The description in one line, with controls and line breaks as spaces. @throws InvalidRequest if it is too long */
export function cleanDescription(sent: string): string {
  const cleaned = sent
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  if ([...cleaned].length <= longest) return cleaned;
  throw new InvalidRequest('The description may have at most 2,000 characters.');
}
