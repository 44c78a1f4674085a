import type { ReactNode } from 'react';
import { Redirect, useSearch } from 'wouter';
import { useToken } from './session.ts';

/** The query by which a page is told that another app's share did not arrive (client/install/share-target.ts). */
export const missedShare = 'share=missed';

/** Its children only with a stored token; whether it is still valid, the first call will tell. */
export function Guard({ children }: { children: ReactNode }) {
  // That a share was missed is still to be told after the login.
  const missed = useSearch() === missedShare;
  return useToken() ? children : <Redirect to={missed ? `/login?${missedShare}` : '/login'} replace />;
}
