import t from 'tap';
import { addressKey, networkKey } from './address.ts';

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

t.test('IPv6 addresses count as one however their groups are written', async (t) => {
  t.equal(addressKey('2001:0db8:0001:0000::1'), addressKey('2001:db8:1::1'));
});

t.test('IPv6 addresses of one /48 are one network, and IPv4 addresses have none', async (t) => {
  const one = networkKey('2001:db8:1:2::1');
  t.equal(networkKey('2001:db8:1:ffff::1'), one);
  t.equal(networkKey('2001:0db8:0001::'), one);
  t.not(networkKey('2001:db8:2:2::1'), one);
  for (const ip of ['192.0.2.1', '::ffff:192.0.2.1', 'nonsense', '']) t.equal(networkKey(ip), undefined);
});
