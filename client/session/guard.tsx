import { Fragment, type ReactNode } from 'react';
import { Redirect, useSearch } from 'wouter';
import { session, useToken } from './session.ts';

/** The query by which a page is told that another app's share did not arrive (client/install/share-target.ts). */
export const missedShare = 'share=missed';

/**
 * Its children only with a stored token; whether it is still valid, the first call will tell. Of another account, as when
 * another tab logs in, they are others: nothing that the one before saw or typed stands there any more.
 */
export function Guard({ children }: { children: ReactNode }) {
  // That a share was missed is still to be told after the login.
  const missed = useSearch() === missedShare;
  if (!useToken()) return <Redirect to={missed ? `/login?${missedShare}` : '/login'} replace />;
  return <Fragment key={session.user()?.id}>{children}</Fragment>;
}
