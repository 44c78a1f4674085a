import { logout } from '../api/auth.ts';
import { session } from './session.ts';

/** Ends the session here at once, and revokes its token on the server if the server can be reached. */
export function logOut(): void {
  const token = session.token();
  session.end();
  if (token) void logout(token);
}
