import t from 'tap';
import { relyingPartyOf } from './relying-party.ts';

const from = (host: string, protocol: 'http' | 'https' = 'http', localPort: number | undefined = undefined) => ({
  host,
  socket: { localPort },
  hostname: host.replace(/:\d+$/, ''),
  protocol,
});
const elsewhere = from('evil.example');

t.test('PUBLIC_URL alone says where passkeys work', async (t) => {
  for (const [publicUrl, expected] of [
    ['https://img.example.com', { id: 'img.example.com', origin: 'https://img.example.com' }],
    ['https://img.example.com:8443', { id: 'img.example.com', origin: 'https://img.example.com:8443' }],
    ['http://localhost:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
    ['http://img.example.com', 'insecure'],
    ['https://192.168.1.5', 'ip-address'],
    ['http://[::1]:3000', 'ip-address'],
  ] as const) {
    t.same(relyingPartyOf(elsewhere, publicUrl), expected, publicUrl);
  }
});

t.test('without PUBLIC_URL they work on localhost only: a host may be forged', async (t) => {
  t.same(relyingPartyOf(from('localhost:3000'), undefined), { id: 'localhost', origin: 'http://localhost:3000' });
  t.same(relyingPartyOf(from('localhost', 'https'), undefined), { id: 'localhost', origin: 'https://localhost' });
  t.same(relyingPartyOf(from('localhost:80'), undefined), { id: 'localhost', origin: 'http://localhost' });
  t.same(relyingPartyOf(from('img.example.com', 'https'), undefined), 'no-public-url');
  t.same(relyingPartyOf(from('127.0.0.1:3000'), undefined), 'ip-address');
  t.same(relyingPartyOf(from('[::1]:3000'), undefined), 'ip-address');
  t.same(relyingPartyOf(from('localhost.example.com'), undefined), 'no-public-url');
  t.same(relyingPartyOf(from('evil.localhost:3000'), undefined), 'no-public-url');
});

t.test('without PUBLIC_URL they work only at the port on which the server listens', async (t) => {
  const at = (host: string) => relyingPartyOf(from(host, 'http', 3000), undefined);
  t.same(at('localhost:3000'), { id: 'localhost', origin: 'http://localhost:3000' });
  for (const host of ['localhost:9999', 'localhost']) t.equal(at(host), 'no-public-url', host);
});
