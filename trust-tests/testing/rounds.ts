import { full } from './full.ts';

/** How often a fault is made: `few` as a rule, `many` with --full, and as often as `--rounds=<n>` says. */
export function rounds(few: number, many: number): number {
  const asked = Number(process.env.GALLERY_TRUST_ROUNDS);
  if (Number.isInteger(asked) && asked > 0) return asked;
  return full ? many : few;
}
