import { picture } from '../../../server/testing/pictures.ts';
import { abuse } from '../../testing/abuse.ts';
import { newAccount, store } from '../../testing/account.ts';
import { firstLink } from '../../testing/first-link.ts';
import { serve } from '../../testing/machine/loopback.ts';

const evil = 'evil.example';

abuse('A13', 'links use PUBLIC_URL, whatever host a request names', async (t) => {
  const at = await serve(t, { publicUrl: 'https://img.example.com' });
  const { bearer } = await newAccount(at.origin);
  await store(at.origin, { bearer }, [{ name: 'a.png', bytes: await picture() }]);
  for (const headers of [
    { host: evil },
    { 'x-forwarded-host': evil },
    { 'x-host': evil, 'x-original-host': evil, 'x-forwarded-server': evil },
    { forwarded: `host=${evil};proto=http` },
    { 'x-forwarded-proto': 'http', 'x-forwarded-port': '1' },
  ]) {
    const { url, body } = await firstLink(at.origin, { ...bearer, ...headers });
    t.match(url, /^https:\/\/img\.example\.com\/i\//, JSON.stringify(headers));
    t.notMatch(body, /evil/);
  }
});
