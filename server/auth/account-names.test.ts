import t from 'tap';
import { emailKey, normal, usernameKey } from './account-names.ts';

t.test('names are equal in any case and Unicode composition', async (t) => {
  t.equal(emailKey('É@Example.com'), emailKey('e\u0301@example.COM'));
  t.equal(usernameKey('ﬁne'), usernameKey('FINE'));
});

t.test('texts longer than any account field are truncated before normalization', async (t) => {
  const marks = `a${'\u0301'.repeat(15_000)}${'\u0316'.repeat(15_000)}`;
  for (const form of ['NFC', 'NFKC'] as const) t.ok(normal(marks, form).length <= 4096);
  t.ok(emailKey(marks).length <= 4096);
  t.equal(normal('e\u0301'.repeat(256), 'NFC'), 'é'.repeat(256), 'the longest password is normalized whole');
});

t.test('a domain is the same in Unicode and in ASCII, whatever its case and width', async (t) => {
  const key = emailKey('a@xn--mller-kva.de');
  for (const domain of ['müller.de', 'MÜLLER.de', 'mu\u0308ller.de', 'ｍüller.de', 'XN--MLLER-KVA.de']) {
    t.equal(emailKey(`A@${domain}`), key, domain);
  }
  t.not(emailKey('a@straße.de'), emailKey('a@strasse.de'), 'two domains');
  t.not(emailKey('müller@a.de'), emailKey('xn--mller-kva@a.de'), 'only the domain has two forms');
  for (const odd of ['a@ü..de', 'ü', '@', 'a@', 'a@\u200d.de']) t.type(emailKey(odd), 'string', odd);
});
