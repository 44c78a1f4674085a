import { full } from './full.ts';

/** @returns how often to inject a fault: `--rounds=<n>`, else `many` with --full, else `few` */
export function rounds(few: number, many: number): number {
  const asked = Number(process.env.GALLERY_TRUST_ROUNDS);
  if (Number.isInteger(asked) && asked > 0) return asked;
  return full ? many : few;
}
