import { useLocation } from 'wouter';
import { logOut } from './log-out.ts';

/** Logs out and opens the login page. */
export function useLogout(): () => void {
  const [, navigate] = useLocation();
  return () => {
    logOut();
    navigate('/login');
  };
}
