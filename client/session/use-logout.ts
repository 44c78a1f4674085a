import { useLocation } from 'wouter';
import { logout } from '../api/auth.ts';
import { session } from './session.ts';

/** Logs out here at once; the token dies on the server meanwhile, if it can be reached. */
export function useLogout(): () => void {
  const [, navigate] = useLocation();
  return () => {
    const token = session.token();
    session.end();
    navigate('/login');
    if (token) void logout(token);
  };
}
