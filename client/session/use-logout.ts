import { useLocation } from 'wouter';
import { logOut } from './log-out.ts';

/** Logs out and opens the login page. */
export function useLogout(): () => void {
  const [, navigate] = useLocation();
  return () => {
    logOut();
    // The login page does not redirect to the sign-in provider then.
    navigate('/login', { state: { stays: true } });
  };
}
