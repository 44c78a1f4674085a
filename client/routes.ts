/**
 * Every route of the page, in one table: the app (app.tsx), the boot script (boot-plugin.ts), the navigation (layout/main-nav.tsx),
 * the server and the check of the bundle's size read it. It imports only types, because the build reads it too.
 */
import type { WordsPart } from './text/words.ts';

export interface PageRoute {
  /** `:id` is a parameter, which the page receives. `*` matches every path that no earlier route matches. */
  readonly path: string;
  /** The default export of pages/<page>-page.tsx. */
  readonly page: string;
  /** Besides those of every page. */
  readonly words: readonly WordsPart[];
  /** Requires a login, and is shown in the dashboard's layout. */
  readonly isGuarded?: true;
  /** Shows the brand art. */
  readonly hasArt?: true;
  /** Has Arabic text in every language. */
  readonly hasArabic?: true;
  /** The link in the navigation: its place, and the key of its text in `shell`. */
  readonly nav?: { readonly place: 'main' | 'more'; readonly label: NavLabel };
}

export interface RedirectRoute {
  readonly path: string;
  readonly to: string;
}

export type Route = PageRoute | RedirectRoute;
export type NavLabel = 'uploadImages' | 'viewImages' | 'videoPlayer' | 'albums' | 'links' | 'settings';

export const home = '/dashboard/upload';
export const loginPath = '/login';
export const galleryPath = '/dashboard/images';
export const albumsPath = '/dashboard/albums';
export const linksPath = '/dashboard/links';
export const settingsPath = '/dashboard/settings';
export const adminPath = '/dashboard/admin';
export const albumPath = (id: string): string => `${albumsPath}/${id}`;

export const routes: readonly Route[] = [
  { path: '/', to: home },
  { path: loginPath, page: 'login', words: ['auth'], hasArt: true },
  { path: '/register', page: 'register', words: ['auth', 'later'], hasArt: true },
  { path: '/forgot', page: 'forgot', words: ['auth', 'later'], hasArt: true },
  { path: '/reset', page: 'reset', words: ['auth', 'later'], hasArt: true },
  { path: '/email', page: 'email', words: ['auth', 'later'], hasArt: true },
  { path: '/setup', page: 'setup', words: ['auth', 'later'], hasArt: true },
  { path: '/claim', page: 'setup', words: ['auth', 'later'], hasArt: true },
  { path: '/dashboard', to: home },
  {
    path: home,
    page: 'upload',
    words: ['upload'],
    isGuarded: true,
    nav: { place: 'main', label: 'uploadImages' },
  },
  {
    path: galleryPath,
    page: 'gallery',
    words: ['gallery'],
    isGuarded: true,
    nav: { place: 'main', label: 'viewImages' },
  },
  {
    path: '/dashboard/video',
    page: 'video',
    words: ['later'],
    isGuarded: true,
    hasArabic: true,
    nav: { place: 'main', label: 'videoPlayer' },
  },
  {
    path: albumsPath,
    page: 'albums',
    words: ['later'],
    isGuarded: true,
    nav: { place: 'more', label: 'albums' },
  },
  { path: albumPath(':id'), page: 'album', words: ['later'], isGuarded: true },
  {
    path: linksPath,
    page: 'links',
    words: ['later'],
    isGuarded: true,
    nav: { place: 'more', label: 'links' },
  },
  {
    path: settingsPath,
    page: 'settings',
    words: ['auth', 'settings'],
    isGuarded: true,
    nav: { place: 'more', label: 'settings' },
  },
  {
    path: adminPath,
    page: 'admin',
    words: ['later'],
    isGuarded: true,
  },
  { path: '/c/:link', page: 'upload', words: ['upload'] },
  { path: '*', page: 'not-found', words: ['later'] },
];

/** The expression of a route's path, in any case and with or without a closing slash; it is matched without regard to case. */
export const patternOf = (path: string): string =>
  path === '*' ? '' : `^${path.replace(/\/$/, '').replace(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`;

export type Params = Readonly<Record<string, string>>;

/** The route of a path, and the path's parameters. */
export function routeAt(path: string): { readonly route: Route; readonly params: Params } {
  for (const route of routes) {
    const found = new RegExp(patternOf(route.path), 'i').exec(path);
    if (found) return { route, params: { ...found.groups } };
  }
  throw new Error('The last route matches every path.');
}

/** The page that a path leads to, after its redirect. */
export function pageAt(path: string): PageRoute {
  const { route } = routeAt(path);
  return 'to' in route ? pageAt(route.to) : route;
}

export const isPage = (route: Route): route is PageRoute => 'page' in route;
