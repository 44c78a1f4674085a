/** Calls that revoke the session's tokens and answer new ones. */
import { session } from './session.ts';
import { alone } from './session-lock.ts';

/** Replaces the token that the call was sent with by the one in the answer. */
export function renewing<Answer extends { access_token?: string }>(call: () => Promise<Answer>): Promise<Answer> {
  return alone(async () => {
    const old = session.token();
    const answer = await call();
    if (answer.access_token) session.renew(old, answer.access_token);
    return answer;
  });
}
