import { openSocket } from '../../../server/testing/socket.ts';
import { abuse } from '../../testing/abuse.ts';
import { newAccount } from '../../testing/account.ts';
import { asJson, call } from '../../testing/call.ts';
import { serve } from '../../testing/machine/loopback.ts';
import { measured } from '../../testing/measured.ts';
import { corpusList, listsLeftOut } from '../../testing/pictures/corpus.ts';

const own = [
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/%09/evil.example',
  '/%5cevil.example',
  '//evil.example/%2f..',
  '/.evil.example',
  'https:evil.example',
  'https://evil.example',
  '//evil%E3%80%82example',
  '/%0d%0aLocation:%20https://evil.example',
  '/dashboard//evil.example',
  '//',
];
const places = [...own, ...corpusList('open_redirects')];
const names = ['next', 'url', 'redirect', 'redirect_uri', 'return', 'returnTo', 'continue', 'dest'];

abuse('A12', 'no path or query makes the server redirect', async (t) => {
  const { origin } = await serve(t);
  const leaving: string[] = [];
  for (const place of places) {
    const path = place.startsWith('/') ? place : `/${place}`;
    const query = names.map((name) => `${name}=${encodeURIComponent(place)}`).join('&');
    for (const target of [path, `/login?${query}`, `/dashboard?${query}`, `/api/auth/me?${query}`]) {
      const { send, received } = await openSocket(origin);
      await send(
        `GET ${target.replace(/[^\x21-\xff]/g, '%20')} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      );
      const answer = await received;
      const head = answer.split('\r\n\r\n')[0] ?? '';
      if (/^HTTP\/1\.1 3|\r\n(?:location|refresh|link):/i.test(head))
        leaving.push(`${target} -> ${head.slice(0, 200)}`);
      if (/http-equiv=["']?refresh/i.test(answer)) leaving.push(`${target}: a page that redirects`);
      t.notMatch(answer, /^HTTP\/1\.1 5/, target);
    }
  }
  t.same(leaving, []);
  if (!listsLeftOut())
    measured('G18', { part: 'redirects', seen: `${leaving.length} of ${places.length}`, held: leaving.length === 0 });
});

abuse('A12', 'login and logout ignore redirect parameters', async (t) => {
  const { origin } = await serve(t);
  const account = await newAccount(origin);
  for (const name of names) {
    const login = await call(
      origin,
      `/api/auth/login?${name}=//evil.example`,
      asJson({ ...account, [name]: '//evil.example' }),
    );
    t.notOk(login.headers.location);
    t.notMatch(login.body, /evil/);
    const logout = await call(origin, `/api/auth/logout?${name}=//evil.example`, {
      method: 'POST',
      headers: account.bearer,
    });
    t.notOk(logout.headers.location);
    t.equal(logout.status, 204);
  }
});
