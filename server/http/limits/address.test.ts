import t from 'tap';
import { addressKey, networkKey } from './address.ts';

t.test('an IPv4 address is its own key, also in its IPv6 form', async (t) => {
  t.equal(addressKey('192.0.2.1'), '192.0.2.1');
  t.equal(addressKey('::ffff:192.0.2.1'), '192.0.2.1');
});

t.test('all invalid addresses share one key', async (t) => {
  for (const text of ['', 'nonsense', '999.1.1.1', 'x'.repeat(5000)]) t.equal(addressKey(text), 'unknown');
});

t.test('IPv6 addresses of one /64 share one key', async (t) => {
  const one = addressKey('2001:db8:1:2::1');
  t.equal(addressKey('2001:db8:1:2:aaaa:bbbb:cccc:dddd'), one);
  t.equal(addressKey('2001:DB8:1:2:0:0:0:9%eth0'), one);
  t.not(addressKey('2001:db8:1:3::1'), one);
  t.equal(addressKey('::1'), '0:0:0:0::/64');
});

t.test('different spellings of an IPv6 address share one key', async (t) => {
  t.equal(addressKey('2001:0db8:0001:0000::1'), addressKey('2001:db8:1::1'));
});

t.test('IPv6 addresses of one /48 share one network key, and IPv4 addresses have none', async (t) => {
  const one = networkKey('2001:db8:1:2::1');
  t.equal(networkKey('2001:db8:1:ffff::1'), one);
  t.equal(networkKey('2001:0db8:0001::'), one);
  t.not(networkKey('2001:db8:2:2::1'), one);
  for (const ip of ['192.0.2.1', '::ffff:192.0.2.1', 'nonsense', '']) t.equal(networkKey(ip), undefined);
});
