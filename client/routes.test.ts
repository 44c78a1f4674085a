import { existsSync } from 'node:fs';
import t from 'tap';
import { home, isPage, pageAt, routeAt, routes } from './routes.ts';

const pageOf = (path: string): string => pageAt(path).page;

t.test('a path finds its page in any case, with and without a closing slash', async (t) => {
  t.equal(pageOf('/login'), 'login');
  t.equal(pageOf('/Login/'), 'login');
  t.equal(pageOf('/dashboard/IMAGES'), 'gallery');
  t.equal(pageOf('/dashboard/albums/'), 'albums');
});

t.test('/ and /dashboard lead to the upload page', async (t) => {
  for (const path of ['/', '', '/dashboard', '/dashboard/']) t.equal(pageOf(path), 'upload', path);
  t.same(routeAt('/').route, { path: '/', to: home });
});

t.test('a parameter is one part of the path', async (t) => {
  t.same(routeAt('/dashboard/albums/0b1c').params, { id: '0b1c' });
  t.equal(pageOf('/dashboard/albums/0b1c'), 'album');
  t.equal(pageOf('/dashboard/albums/0b1c/more'), 'not-found');
});

t.test('every other path is the 404 page, without a login', async (t) => {
  for (const path of ['/nowhere', '/dashboard/nowhere', '/login/more', '/dashboards', '/xlogin'])
    t.equal(pageOf(path), 'not-found', path);
  t.equal(pageAt('/dashboard/nowhere').isGuarded, undefined);
});

t.test('every page below /dashboard needs a login, and no other', async (t) => {
  for (const route of routes.filter(isPage))
    t.equal(route.isGuarded ?? false, route.path.startsWith('/dashboard/'), route.path);
});

t.test('every page has its file', async (t) => {
  for (const { page } of routes.filter(isPage)) t.ok(existsSync(`client/pages/${page}-page.tsx`), page);
});
