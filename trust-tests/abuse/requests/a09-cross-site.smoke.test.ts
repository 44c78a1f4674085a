import type { OutgoingHttpHeaders } from 'node:http';
import { form } from '../../../server/testing/form.ts';
import { picture } from '../../../server/testing/pictures.ts';
import { abuse } from '../../testing/abuse.ts';
import { newAccount, pathOf, store } from '../../testing/account.ts';
import { call, refused } from '../../testing/call.ts';
import { serve } from '../../testing/machine/loopback.ts';

abuse('A9', 'another site cannot change anything with a visitor’s cookie', async (t) => {
  const { origin, sql } = await serve(t);
  const visitor = await newAccount(origin);
  const [image] = await store(origin, visitor, [{ name: 'a.png', bytes: await picture() }]);
  const sent = await form([{ name: 'evil.png', bytes: await picture() }]);
  const { host } = new URL(origin);

  const elsewhere: Record<string, OutgoingHttpHeaders> = {
    'another site': { origin: 'https://evil.example' },
    'a sandboxed frame': { origin: 'null' },
    'a file': { origin: 'file://' },
    'another port of this host': { origin: 'http://127.0.0.1:1' },
    'a host that begins like ours': { origin: `http://${host}.evil.example` },
    'our host as a login': { origin: `http://${host}@evil.example` },
    'only a referrer of another site': { referer: `https://evil.example/${host}` },
    'a page that hides its origin': { 'sec-fetch-site': 'cross-site' },
    'our origin in the referrer alone, another in the origin': {
      origin: 'https://evil.example',
      referer: `${origin}/`,
    },
    'two origins': { origin: `https://evil.example ${origin}` },
  };
  for (const [about, headers] of Object.entries(elsewhere)) {
    const with_ = { cookie: visitor.cookie, ...headers };
    const calls = {
      upload: {
        method: 'POST',
        path: '/api/images/upload',
        headers: { ...with_, ...sent.headers },
        body: sent.payload,
      },
      deletion: { method: 'DELETE', path: `/api/images/delete/${image?.id}`, headers: with_ },
      logout: { method: 'POST', path: '/api/auth/logout', headers: with_ },
      'logout as a form': {
        method: 'POST',
        path: '/api/auth/logout',
        headers: { ...with_, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'a=b',
      },
    };
    for (const [what, { path, ...options }] of Object.entries(calls))
      refused(t, await call(origin, path, options), 403, `${what} from ${about}`);
  }
  t.equal((await call(origin, '/api/auth/me', { headers: { cookie: visitor.cookie } })).status, 200, 'still logged in');
  t.equal((await call(origin, pathOf(image?.url))).status, 200, 'the picture is still there');
  t.equal((await sql('select id from images')).length, 1, 'and it is the only one');
});
