import type { ReactNode } from 'react';
import { Redirect } from 'wouter';
import { useToken } from './session.ts';

/** Its children only with a stored token; whether it is still valid, the first call will tell. */
export function Guard({ children }: { children: ReactNode }) {
  return useToken() ? children : <Redirect to="/login" replace />;
}
