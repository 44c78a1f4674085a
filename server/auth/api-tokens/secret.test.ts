import t from 'tap';
import { createSecret, hashOfSecret } from './secret.ts';

t.test('a secret has 256 random bits and a checksum, and is known by its hash', async (t) => {
  const { secret, hash, start } = createSecret();
  t.match(secret, /^enc_[\w-]{43}[0-9A-Za-z]{6}$/);
  t.match(hash, /^[0-9a-f]{64}$/);
  t.equal(start, secret.slice(0, 8));
  t.equal(hashOfSecret(secret), hash);
  t.not(createSecret().secret, secret);
});

t.test('a secret with one wrong, missing or additional character is refused', async (t) => {
  const { secret } = createSecret();
  for (let at = 0; at < secret.length; at += 1) {
    const other = secret[at] === 'A' ? 'B' : 'A';
    t.equal(hashOfSecret(secret.slice(0, at) + other + secret.slice(at + 1)), undefined, `character ${at}`);
  }
  for (const text of ['', 'enc_', secret.slice(1), `${secret}A`, ` ${secret}`, secret.slice(0, -1)])
    t.equal(hashOfSecret(text), undefined, JSON.stringify(text));
});

// From the definition of the format: CRC-32 of "enc_" and 43 times "A", in base 62.
t.test('the checksum stays the same in every version', async (t) => {
  t.type(hashOfSecret(`enc_${'A'.repeat(43)}0skHlE`), 'string');
});
