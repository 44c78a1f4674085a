import { Fragment, type ReactNode } from 'react';
import { Redirect, useSearch } from 'wouter';
import { session, useToken } from './session.ts';

const missed = 'missed';

/** Returns the id of a share from another app in the query (client/install/share-target.ts), or `missed` if it did not arrive. */
export const shareIn = (search: string): string | undefined => /\bshare=([\w-]+)/.exec(search)?.[1];
export const isMissed = (share: string): boolean => share === missed;

/** Adds the share in `search` to a path, so that it survives the login. */
export const withShare = (path: string, search: string): string => {
  const share = shareIn(search);
  return share ? `${path}?share=${share}` : path;
};

/**
 * Renders its children only with a stored token; the first call shows whether the token is valid. Another account, as after a
 * login in another tab, remounts them, so that nothing of the previous account stays on the screen.
 */
export function Guard({ children }: { children: ReactNode }) {
  // A share is taken after the login.
  const login = withShare('/login', useSearch());
  if (!useToken()) return <Redirect to={login} replace />;
  return <Fragment key={session.user()?.id}>{children}</Fragment>;
}
