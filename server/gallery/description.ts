import { InvalidRequest } from '../errors.ts';

/** Characters, as people count them roughly: code points. */
const longest = 2000;

/**
 * A description in one line: controls, and the ends of lines and paragraphs, are spaces in it.
 *
 * @throws InvalidRequest where it is too long: what people write is not cut
 */
export function cleanDescription(sent: string): string {
  const cleaned = sent
    .toWellFormed()
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
  if ([...cleaned].length <= longest) return cleaned;
  throw new InvalidRequest('The description may have at most 2,000 characters.');
}
