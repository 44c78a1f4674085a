import t from 'tap';
import { addressKey } from './address.ts';

t.test('an IPv4 address counts by itself, also as IPv6 writes it', async (t) => {
  t.equal(addressKey('192.0.2.1'), '192.0.2.1');
  t.equal(addressKey('::ffff:192.0.2.1'), '192.0.2.1');
});

t.test('what a proxy passes on and is no address counts as one', async (t) => {
  for (const text of ['', 'nonsense', '999.1.1.1', 'x'.repeat(5000)]) t.equal(addressKey(text), 'unknown');
});

t.test('IPv6 addresses of one /64 count as one', async (t) => {
  const one = addressKey('2001:db8:1:2::1');
  t.equal(addressKey('2001:db8:1:2:aaaa:bbbb:cccc:dddd'), one);
  t.equal(addressKey('2001:DB8:1:2:0:0:0:9%eth0'), one);
  t.not(addressKey('2001:db8:1:3::1'), one);
  t.equal(addressKey('::1'), '0:0:0:0::/64');
});
