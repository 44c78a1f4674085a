import { reasonOf } from '../../api/api-error.ts';
import { passkeyProblem } from '../../lib/webauthn.ts';
import { factors as texts } from '../../text/words.ts';

/** Why something failed, in words, if there is a reason. */
export function problemOf(error: unknown): string | undefined {
  const problem = passkeyProblem(error);
  if (problem === undefined) return reasonOf(error);
  return { exists: texts.onDevice, address: texts.wrongAddress, unconfirmed: texts.cancelled }[problem];
}
