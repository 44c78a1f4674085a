import { logout } from '../api/auth.ts';
import { session } from './session.ts';

/** Ends the session here at once; its token dies on the server meanwhile, if that can be reached. */
export function logOut(): void {
  const token = session.token();
  session.end();
  if (token) void logout(token);
}
