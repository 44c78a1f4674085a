import { picture, svg } from '../../../server/testing/pictures.ts';
import { abuse } from '../../testing/abuse.ts';
import { newAccount, pathOf, store } from '../../testing/account.ts';
import { asJson, type Call, call } from '../../testing/call.ts';
import { serve } from '../../testing/machine/loopback.ts';

abuse('A11', 'no answer can be framed', async (t) => {
  const { origin } = await serve(t);
  const account = await newAccount(origin);
  const bytes = await picture();
  const [photo, drawing] = await store(origin, account, [
    { name: 'a.png', bytes },
    { name: 'a.svg', bytes: svg },
  ]);
  const calls: [string, Call][] = [
    ['/', {}],
    ['/login', {}],
    ['/dashboard/images', {}],
    ['/nowhere', {}],
    ['/mark.svg', {}],
    ['/api/auth/me', {}],
    ['/api/images/', { headers: account.bearer }],
    ['/api/auth/login', asJson({})],
    ['/api/none', {}],
    ['/%zz', {}],
    [pathOf(photo?.url), {}],
    [pathOf(photo?.url), { method: 'HEAD' }],
    [pathOf(photo?.url), { headers: { range: 'bytes=0-3' } }],
    [pathOf(photo?.url), { headers: { range: 'bytes=999999-' } }],
    [pathOf(photo?.url), { headers: { 'if-none-match': '*' } }],
    [pathOf(photo?.thumbnail_url), {}],
    [pathOf(drawing?.url), {}],
    ['/i/none.png', {}],
  ];
  for (const [path, options] of calls) {
    const { headers, status } = await call(origin, path, options);
    t.match(
      headers['content-security-policy'],
      /frame-ancestors 'none'/,
      `${options.method ?? 'GET'} ${path}: ${status}`,
    );
    t.equal(headers['x-frame-options'], 'DENY', `for browsers without frame-ancestors: ${path}`);
  }
});
