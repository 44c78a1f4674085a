import { picture } from '../../../server/testing/pictures.ts';
import { abuse } from '../../testing/abuse.ts';
import { newAccount, pathOf, store } from '../../testing/account.ts';
import { asJson, call, refused } from '../../testing/call.ts';
import { serve } from '../../testing/machine/loopback.ts';

abuse('A9', 'content types that a form of another site can post are rejected', async (t) => {
  const { origin, sql } = await serve(t);
  const account = await newAccount(origin);
  const login = JSON.stringify({ email: account.email, password: account.password });
  const posts: [string, string][] = [
    ['text/plain', login],
    ['text/plain; charset=application/json', login],
    ['application/x-www-form-urlencoded', 'email=a&password=b'],
    ['application/x-www-form-urlencoded', `${login}=`],
    ['multipart/form-data; boundary=x', `--x\r\ncontent-disposition: form-data; name="email"\r\n\r\na\r\n--x--\r\n`],
    ['application/xml', '<a/>'],
  ];
  for (const path of ['/api/auth/login', '/api/auth/register']) {
    for (const [type, body] of posts) {
      const answer = await call(origin, path, {
        method: 'POST',
        headers: { origin: 'https://evil.example', 'content-type': type },
        body,
      });
      refused(t, answer, [400, 415], `${path} as ${type}`);
      t.notOk(answer.headers['set-cookie']);
    }
    const json = asJson({ email: account.email, password: account.password });
    const bare = await call(origin, path, { ...json, headers: { origin: 'https://evil.example' } });
    refused(t, bare, [400, 415], `${path} without a type`);
  }
  t.equal((await sql('select id from users')).length, 1);
});

abuse('A9', 'no GET changes anything', async (t) => {
  const { origin } = await serve(t);
  const account = await newAccount(origin);
  const [image] = await store(origin, account, [{ name: 'a.png', bytes: await picture() }]);
  const headers = { cookie: account.cookie };
  for (const method of ['GET', 'HEAD', 'OPTIONS']) {
    for (const path of ['/api/auth/logout', `/api/images/delete/${image?.id}`, '/api/images/upload', '/api/auth/login'])
      t.equal((await call(origin, path, { method, headers })).status, 404, `${method} ${path}`);
  }
  for (const [name, value] of [
    ['x-http-method-override', 'DELETE'],
    ['x-method-override', 'DELETE'],
  ] as const) {
    const path = `/api/images/delete/${image?.id}?_method=DELETE`;
    t.equal((await call(origin, path, { method: 'POST', headers: { ...account.bearer, [name]: value } })).status, 404);
  }
  t.equal((await call(origin, '/api/auth/me', { headers })).status, 200);
  t.equal((await call(origin, pathOf(image?.url))).status, 200);
});
