import { picture } from '../../../server/testing/pictures.ts';
import { openSocket } from '../../../server/testing/socket.ts';
import { abuse } from '../../testing/abuse.ts';
import { newAccount, store } from '../../testing/account.ts';
import { call, refused } from '../../testing/call.ts';
import { firstLink } from '../../testing/first-link.ts';
import { serve } from '../../testing/machine/loopback.ts';

const evil = 'evil.example';

abuse('A13', 'without PUBLIC_URL, forwarded hosts are accepted from a trusted proxy only', async (t) => {
  const direct = await serve(t);
  const { bearer } = await newAccount(direct.origin);
  await store(direct.origin, { bearer }, [{ name: 'a.png', bytes: await picture() }]);
  const forged = { 'x-forwarded-host': evil, 'x-forwarded-proto': 'https', forwarded: `host=${evil}` };
  const { url, body } = await firstLink(direct.origin, { ...bearer, ...forged });
  t.ok(url?.startsWith(`${direct.origin}/i/`), `${url}`);
  t.notMatch(body, /evil/);

  const behind = await serve(t, { trustProxy: ['127.0.0.1'] });
  const other = await newAccount(behind.origin);
  await store(behind.origin, other, [{ name: 'a.png', bytes: await picture() }]);
  const said = { 'x-forwarded-host': 'img.example.com', 'x-forwarded-proto': 'https' };
  t.match(
    (await firstLink(behind.origin, { ...other.bearer, ...said })).url,
    /^https:\/\/img\.example\.com\/i\//,
    'the proxy is believed',
  );
  t.notMatch(
    (await firstLink(behind.origin, { ...other.bearer, ...forged }, '127.0.0.66')).body,
    /evil/,
    'nobody else is',
  );
  for (const host of [`${evil}/path`, `${evil}"><script>`, `user@${evil}`, `${evil}#`, 'a\tb'])
    refused(
      t,
      await call(behind.origin, '/api/images/', { headers: { ...other.bearer, ...said, 'x-forwarded-host': host } }),
      400,
      host,
    );
});

abuse('A13', 'an invalid, missing or repeated Host is refused', async (t) => {
  const at = await serve(t);
  const { bearer, token } = await newAccount(at.origin);
  for (const host of [
    `${evil}"><script>`,
    `${evil}/x`,
    `a@${evil}`,
    `${evil}:99999999`,
    `${evil}\\@x`,
    'a b',
    '%65vil',
  ])
    refused(t, await call(at.origin, '/api/images/', { headers: { ...bearer, host } }), 400, host);
  const raw = async (...lines: string[]) => {
    const { send, received } = await openSocket(at.origin);
    await send(`${lines.join('\r\n')}\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`);
    return received;
  };
  t.match(await raw('GET /api/images/ HTTP/1.1', 'Host: localhost', `Host: ${evil}`), /^HTTP\/1\.1 400/);
  t.match(await raw('GET /api/images/ HTTP/1.1', 'Host: '), /^HTTP\/1\.1 400/);
  t.match(await raw('GET /api/images/ HTTP/1.1'), /^HTTP\/1\.1 400/);
  t.match(await raw(`GET http://${evil}/api/images/ HTTP/1.1`, 'Host: localhost'), /^HTTP\/1\.1 400/);
  t.notMatch(await raw(`GET //${evil}/api/images/ HTTP/1.1`, 'Host: localhost'), /\r\nlocation/i);
});
