/** Limits of an account, as commands take and print them. */
import type { NewQuota } from '../../auth/roles/queries.ts';
import { parseSize, wholeNumber } from '../../config/parsing.ts';
import { sizeText } from '../../images/quota.ts';
import { WrongUsage } from './console/failures.ts';

export type QuotaOptions = { bytes?: string; images?: string };

const parseCount = wholeNumber(1, 2 ** 31 - 1);

/** @throws WrongUsage */
function limitFrom(text: string, parse: (text: string) => number | undefined, form: string): number | null {
  if (text === 'default') return null;
  const value = parse(text);
  if (value === undefined) throw new WrongUsage(`${JSON.stringify(text)} is not ${form}, or "default".`);
  return value;
}

/** @param isNeeded whether one of them must be given @throws WrongUsage */
export function quotaFrom({ bytes, images }: QuotaOptions, { isNeeded }: { isNeeded: boolean }): NewQuota {
  if (isNeeded && bytes === undefined && images === undefined) throw new WrongUsage('Give --bytes, --images or both.');
  return {
    ...(bytes === undefined ? {} : { quotaBytes: limitFrom(bytes, parseSize, 'a size like 10GB') }),
    ...(images === undefined ? {} : { quotaImages: limitFrom(images, parseCount, 'a whole number from 1') }),
  };
}

type Quota = { quotaBytes: number | null; quotaImages: number | null };

/** Cells of a table, empty for the server's limit. */
export const quotaCells = ({ quotaBytes, quotaImages }: Quota): string[] => [
  quotaImages === null ? '' : String(quotaImages),
  quotaBytes === null ? '' : sizeText(quotaBytes),
];

/** "10 GB and 500 images" */
export function quotaText({ quotaBytes, quotaImages }: Quota): string {
  const size = quotaBytes === null ? 'as many bytes as the server allows' : sizeText(quotaBytes);
  const count = quotaImages === null ? 'as many images as the server allows' : `${quotaImages} images`;
  return `${size} and ${count}`;
}
