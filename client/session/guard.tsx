import { Fragment, type ReactNode } from 'react';
import { Redirect, useSearch } from 'wouter';
import { session, useToken } from './session.ts';

const missed = 'missed';

/**
 * Which share of another app a page is to take (client/install/share-target.ts), by its query: the share's name, or `missed` for
 * one that did not arrive.
 */
export const shareIn = (search: string): string | undefined => /\bshare=([\w-]+)/.exec(search)?.[1];
export const isMissed = (share: string): boolean => share === missed;

/** The same query again, for the page after the login. */
export const withShare = (path: string, search: string): string => {
  const share = shareIn(search);
  return share ? `${path}?share=${share}` : path;
};

/**
 * Its children only with a stored token; whether it is still valid, the first call will tell. Of another account, as when
 * another tab logs in, they are others: nothing that the one before saw or typed stands there any more.
 */
export function Guard({ children }: { children: ReactNode }) {
  // A share is still to be taken after the login.
  const login = withShare('/login', useSearch());
  if (!useToken()) return <Redirect to={login} replace />;
  return <Fragment key={session.user()?.id}>{children}</Fragment>;
}
