/** Calls that revoke the session's tokens and answer new ones. */
import { session } from './session.ts';

/** Runs one call at a time across all tabs. Plain HTTP has no locks, and a browser that blocks storage refuses them. */
async function alone<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  if (navigator.locks === undefined) return work();
  let begun = false;
  const begin = () => {
    begun = true;
    return work();
  };
  try {
    return await navigator.locks.request('session', begin);
  } catch (error) {
    if (begun) throw error;
    return work();
  }
}

/** Replaces the token that the call was sent with by the one in the answer. */
export function renewing<Answer extends { access_token?: string }>(call: () => Promise<Answer>): Promise<Answer> {
  return alone(async () => {
    const old = session.token();
    const answer = await call();
    if (answer.access_token) session.renew(old, answer.access_token);
    return answer;
  });
}
