import type { WaitingDecision } from '../../server/contract.ts';

/** The server's limit of images in one call. */
const AT_ONCE = 100;

export interface Decided extends Readonly<WaitingDecision> {
  /** Why the remaining images were not decided. */
  readonly failure?: unknown;
}

/**
 * Decides in calls of at most 100 images, one after another.
 * @returns what was decided until the first failure
 * @throws the failure of the first call
 */
export async function decideInBatches(
  ids: readonly string[],
  decide: (ids: readonly string[]) => Promise<WaitingDecision>,
): Promise<Decided> {
  const { decided, unknown } = await decide(ids.slice(0, AT_ONCE));
  for (let at = AT_ONCE; at < ids.length; at += AT_ONCE) {
    try {
      const next = await decide(ids.slice(at, at + AT_ONCE));
      decided.push(...next.decided);
      unknown.push(...next.unknown);
    } catch (failure) {
      return { decided, unknown, failure };
    }
  }
  return { decided, unknown };
}
