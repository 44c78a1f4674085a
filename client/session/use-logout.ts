import { useLocation } from 'wouter';
import { logOut } from './log-out.ts';

/** Logs out, and leads to the login. */
export function useLogout(): () => void {
  const [, navigate] = useLocation();
  return () => {
    logOut();
    navigate('/login');
  };
}
