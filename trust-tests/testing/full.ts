/** Whether the long variants were asked for: `npm run test:trust -- --full`. */
export const full = process.env.GALLERY_TRUST_FULL === '1';

/** How often something is done: `few` as a rule, `many` on demand. */
export const times = (few: number, many: number): number => (full ? many : few);

/** How much longer than stated a busy machine may take before a test fails; the report tells the number itself. */
export const slack = 8;
