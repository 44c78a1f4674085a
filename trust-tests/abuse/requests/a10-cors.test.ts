import { abuse } from '../../testing/abuse.ts';
import { newAccount } from '../../testing/account.ts';
import { call } from '../../testing/call.ts';
import { serve } from '../../testing/machine/loopback.ts';

const listed = 'https://client.example';

abuse('A10', 'an origin that is not listed cannot read anything, even if it resembles a listed one', async (t) => {
  const open = await serve(t, { corsOrigin: [listed] });
  const closed = await serve(t);
  const { bearer, cookie } = await newAccount(open.origin);
  const foreign = [
    'https://evil.example',
    'null',
    'http://client.example',
    'https://client.example.evil.example',
    'https://evil-client.example',
    'https://evilclient.example',
    'https://sub.client.example',
    'https://client.example:8443',
    'https://client.example@evil.example',
    'https://CLIENT.example.',
    'https://client.example%60.evil.example',
    `${listed}, https://evil.example`,
    '*',
  ];
  const paths = ['/api/health/live', '/api/auth/me', '/api/images/', '/api/none', '/', '/%zz'];
  for (const { origin } of [open, closed]) {
    for (const from of foreign) {
      for (const path of paths) {
        const answer = await call(origin, path, { headers: { ...bearer, cookie, origin: from } });
        t.equal(answer.headers['access-control-allow-origin'] === from, false, `${path} from ${from}`);
        t.not(answer.headers['access-control-allow-origin'], '*', `${path}: never a wildcard`);
      }
      const preflight = await call(origin, '/api/images/upload', {
        method: 'OPTIONS',
        headers: {
          origin: from,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization',
        },
      });
      t.not(preflight.headers['access-control-allow-origin'], from, `a preflight from ${from}`);
      t.not(preflight.headers['access-control-allow-origin'], '*');
    }
  }
});

abuse('A10', 'a listed origin is allowed by name, and answers vary by origin', async (t) => {
  const { origin } = await serve(t, { corsOrigin: [listed, 'https://second.example'] });
  for (const from of [listed, 'https://second.example']) {
    const { headers } = await call(origin, '/api/auth/me', { headers: { origin: from } });
    t.equal(headers['access-control-allow-origin'], from);
    t.equal(headers['access-control-allow-credentials'], 'true');
    t.match(headers.vary, /origin/i);
  }
});
