/** Whether the long variants run: `npm run test:trust -- --full`. */
export const full = process.env.GALLERY_TRUST_FULL === '1';

/** @returns `few`, or `many` with --full */
export const times = (few: number, many: number): number => (full ? many : few);

/** How often something was done, and how often the goal demands it. */
export type Count = { made: number; wanted: number; what: string };

/** @returns the count if it falls short of the goal */
export const reducedTo = (count: Count): Count | undefined => (count.made < count.wanted ? count : undefined);
