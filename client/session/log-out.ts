import { logout } from '../api/account/auth.ts';
import { forgetQueue } from '../lib/forget-queue.ts';
import { session } from './session.ts';

/** Ends the session here at once. The account's pending files are private: they are deleted from the browser. */
export function endSession(): void {
  const user = session.user();
  session.end();
  if (user) forgetQueue(user.id);
}

/** Ends the session, and revokes its token on the server if the server can be reached. Then also at the sign-in provider. */
export function logOut(): void {
  const token = session.token();
  endSession();
  if (token) void logout(token).then((left) => left?.url && location.assign(left.url));
}
