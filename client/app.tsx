import { lazy, Suspense, useEffect } from 'react';
import { Redirect, useLocation } from 'wouter';
import { OfflineLine } from './install/offline-line.tsx';
import type { Component, LaterComponent } from './lib/component.ts';
import { whenIdle } from './lib/when-idle.ts';
import { loadedPage, loadLayout, loadPage, preloadPath } from './load-page.ts';
import { home, isPage, loginPath, type PageRoute, type Params, pageAt, routeAt, routes } from './routes.ts';
import { Guard } from './session/guard.tsx';
import { session } from './session/session.ts';
import { useLanguage } from './text/language.ts';
import { PageBoundary } from './ui/page/page-boundary.tsx';
import { PageSkeleton } from './ui/page/page-skeleton.tsx';
import { loadToasts, useToasts } from './ui/toasts/toast.ts';

const pages = new Map<PageRoute, () => LaterComponent<Params>>(
  routes.filter(isPage).map((route) => [route, lazyAgain(route)]),
);

/** With the first page: if the two appeared one after the other, React would wait between them. */
const DashboardLayout = lazy(async () => {
  const page = loadPage(pageAt(location.pathname));
  const [{ DashboardLayout }] = await Promise.all([loadLayout(), page.catch(() => undefined)]);
  return { default: DashboardLayout };
});

/**
 * @returns a function that returns the page if it has loaded before, or else a lazy component, and a new one after that failed to
 *   load: React keeps a failure
 */
function lazyAgain(route: PageRoute): () => LaterComponent<Params> {
  let component: LaterComponent<Params> | undefined;
  const start = async (): Promise<{ default: Component<Params> }> => {
    try {
      return { default: await loadPage(route) };
    } catch (error) {
      component = undefined;
      throw error;
    }
  };
  return () => {
    component ??= loadedPage(route) ?? lazy(start);
    return component;
  };
}

interface ScreenProps {
  route: PageRoute;
  params: Params;
  path: string;
}

/** A page, with what is shown while it loads and if it fails to. Another path starts fresh. */
function Screen({ route, params, path }: ScreenProps) {
  const Page = pages.get(route)?.();
  return (
    <PageBoundary key={path}>
      <Suspense fallback={<PageSkeleton />}>{Page ? <Page {...params} /> : null}</Suspense>
    </PageBoundary>
  );
}

/** The page of the address. Only /dashboard needs a login: an unknown path is a 404 with and without one. */
function Routed() {
  const [path] = useLocation();
  const { route, params } = routeAt(path);
  if (!isPage(route)) return <Redirect to={route.to} replace />;
  const screen = <Screen route={route} params={params} path={path.toLowerCase().replace(/\/$/, '')} />;
  if (!route.isGuarded) return screen;
  return (
    <Guard>
      <PageBoundary>
        <Suspense fallback={<PageSkeleton />}>
          <DashboardLayout>{screen}</DashboardLayout>
        </Suspense>
      </PageBoundary>
    </Guard>
  );
}

/**
 * Loads what is likely next: the toasts, and the page after the login, or the login's, as a session may end while the server is
 * unreachable.
 */
function preloadNext(): void {
  loadToasts().catch(() => undefined);
  preloadPath(session.token() ? loginPath : home);
}

export function App() {
  useLanguage();
  const toasts = useToasts();
  useEffect(() => whenIdle(preloadNext), []);
  return (
    <>
      <OfflineLine />
      <Routed />
      {toasts ? <toasts.Toasts /> : null}
    </>
  );
}
