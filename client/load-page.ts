/** Loads the pages of the routes (routes.ts), with their words. */
import type { Component } from './lib/component.ts';
import { type PageRoute, type Params, pageAt } from './routes.ts';
import { withWords } from './text/language.ts';

type Page = Component<Params>;

const files = import.meta.glob<Page>('./pages/*-page.tsx', { import: 'default' });

/** What the pages behind the login have besides: their layout. */
export const loadLayout = () => import('./layout/dashboard-layout.tsx');

const loaded = new Map<string, Page>();

export async function loadPage({ page, words }: PageRoute): Promise<Page> {
  const load = files[`./pages/${page}-page.tsx`];
  if (!load) throw new Error(`pages/${page}-page.tsx is missing.`);
  const component = await withWords(words, load());
  loaded.set(page, component);
  return component;
}

/** The page, if its files and words have loaded. */
export const loadedPage = ({ page }: PageRoute): Page | undefined => loaded.get(page);

/** Loads the page of a path ahead. A failure is reported when the page is needed. */
export function preloadPath(path: string): void {
  const route = pageAt(path);
  // A file of the server, or no page at all.
  if (route.path === '*') return;
  if (route.isGuarded) loadLayout().catch(() => undefined);
  loadPage(route).catch(() => undefined);
}

/** Loads the page of a link as soon as the pointer is over it, or it has the focus. */
export function preloadLinks(): void {
  const preload = ({ target }: Event): void => {
    const link = target instanceof Element ? target.closest('a') : null;
    if (link?.origin === location.origin && link.pathname !== location.pathname && !link.hasAttribute('download'))
      preloadPath(link.pathname);
  };
  document.addEventListener('pointerover', preload, { passive: true });
  document.addEventListener('focusin', preload);
}
