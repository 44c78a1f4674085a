import { picture } from '../../../server/testing/pictures.ts';
import { openSocket } from '../../../server/testing/socket.ts';
import { abuse } from '../../testing/abuse.ts';
import { logIn, newAccount, pathOf, randomCredentials, send, store } from '../../testing/account.ts';
import { asJson, call } from '../../testing/call.ts';
import { startServer } from '../../testing/server-process.ts';

abuse('A31', 'the log contains no secret and no forged line', async (t) => {
  const { origin, output, child, ended } = await startServer(t, { LOG_LEVEL: 'trace', RATE_LIMIT: 'on' });
  const account = { ...randomCredentials(), password: 'sesame-open-wide-1', email: 'amira@secret.example' };
  const { token, cookie, bearer } = await newAccount(origin, account);
  await call(origin, '/api/auth/login', asJson({ ...account, password: 'sesame-wrong-2' }));
  await call(origin, '/api/auth/login', { ...asJson({}), body: `{"password":"sesame-broken-3"` });
  await call(origin, `/api/auth/me?access_token=${token}`, { headers: { authorization: `Bearer ${token}`, cookie } });
  const [image] = await store(origin, { bearer }, [{ name: 'private-name.png', bytes: await picture() }]);
  await send(origin, { bearer }, [{ name: 'private-broken.png', bytes: 'no picture' }]);
  const link = pathOf(image?.url);
  for (const path of [link, pathOf(image?.thumbnail_url), `${link}?download=1`, '/api/images/?search=private-search'])
    await call(origin, path, { headers: { cookie, referer: `${origin}${link}` } });
  const again = await logIn(origin, account);
  await call(origin, '/api/auth/logout', { method: 'POST', headers: again.bearer });

  // Complete log lines, in everything that might be logged.
  const forged = '{"level":60,"msg":"FORGED"}';
  const encoded = encodeURIComponent(`\r\n${forged}\r\n`);
  for (const path of [`/${encoded}`, `/api/none/${encoded}`, `/i/${encoded}.png`, `/api/images/delete/${encoded}`])
    await call(origin, path, { headers: { ...bearer, 'user-agent': 'x', 'x-forwarded-for': '1.1.1.1' } });
  await send(origin, { bearer }, [{ name: `a\r\n${forged}\r\n.png`, bytes: await picture() }]);
  await call(origin, '/api/auth/login', asJson({ email: `\r\n${forged}\r\n`, password: '\u001b[31mred' }));
  const { send: write, received } = await openSocket(origin);
  await write(`GET /\x1b[31m\x7f HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  await received;

  child.kill('SIGTERM');
  t.equal(await ended, 0);
  // The link of the first administrator is no line of the log: it goes to the standard error.
  const lines = output()
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('This server has no administrator.'));
  t.ok(lines.length > 15, `${lines.length} lines`);
  for (const line of lines) {
    const { level } = JSON.parse(line) as { level: number };
    t.ok(level < 60, 'no line is forged');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for control characters
    t.notMatch(line, /[\x00-\x1f\x7f]/, 'no control character');
  }
  const secrets = [
    account.password,
    account.email,
    'secret.example',
    'sesame-wrong-2',
    'sesame-broken-3',
    token,
    token.split('.')[2] ?? '',
    cookie.split('=')[1] ?? '',
    'private-search',
    'private-name',
    link.slice(3, 25),
    '$argon2',
  ];
  for (const secret of secrets)
    t.same(
      lines.filter((line) => line.includes(secret)),
      [],
      `${secret.slice(0, 12)} is not in it`,
    );
});
