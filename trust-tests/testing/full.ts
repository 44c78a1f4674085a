/** Whether the long variants were asked for: `npm run test:trust -- --full`. */
export const full = process.env.GALLERY_TRUST_FULL === '1';

/** How often something is done: `few` as a rule, `many` on demand. */
export const times = (few: number, many: number): number => (full ? many : few);

/** How often something was done, and how often the goal wants it done. */
export type Count = { made: number; wanted: number; what: string };

/** The count where it falls short of what is wanted; undefined for a full one. */
export const reducedTo = (count: Count): Count | undefined => (count.made < count.wanted ? count : undefined);
