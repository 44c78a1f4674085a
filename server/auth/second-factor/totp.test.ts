import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import t from 'tap';
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts';
import { createSealing } from './sealing.ts';
import { describeTotp, newTotpSecret, stepOf } from './totp.ts';

const oathtool = '/usr/bin/oathtool';
const label = { issuer: 'img.example.com', label: 'noor@example.com' };
const period = 30_000;

/** @param now milliseconds since 1970 */
const codeByTool = (secret: string, now: number) =>
  execFileSync(oathtool, ['--totp', '--base32', secret, `--now=@${Math.floor(now / 1000)}`], {
    encoding: 'utf8',
  }).trim();

t.test(
  'codes are those of oathtool',
  { skip: existsSync(oathtool) ? false : 'oathtool is not installed: apt-get install oathtool' },
  async (t) => {
    for (let index = 0; index < 20; index += 1) {
      const bytes = newTotpSecret();
      const { secret } = describeTotp(bytes, label);
      const now = Date.UTC(2026, 10, 27, 12) + index * 7919 * period;
      const step = Math.floor(now / period);
      for (const moved of [-1, 0, 1]) {
        t.equal(stepOf(bytes, codeByTool(secret, now + moved * period), now), step + moved, `${moved} of ${secret}`);
      }
      for (const moved of [-2, 2]) {
        t.not(stepOf(bytes, codeByTool(secret, now + moved * period), now), step + moved);
      }
    }
  },
);

t.test('the values of RFC 6238, appendix B, end in the same six digits', async (t) => {
  const bytes = Buffer.from('12345678901234567890');
  for (const [seconds, code] of [
    [59, '287082'],
    [1111111109, '081804'],
    [1234567890, '005924'],
    [20000000000, '353130'],
  ] as const) {
    t.equal(stepOf(bytes, code, seconds * 1000), Math.floor(seconds / 30));
  }
});

t.test('digits may be typed with spaces and on an Arabic or a Persian keyboard; nothing else is a code', async (t) => {
  const bytes = Buffer.from('12345678901234567890');
  for (const typed of ['287 082', '287-082', ' 287082 ', '٢٨٧٠٨٢', '۲۸۷۰۸۲'])
    t.equal(stepOf(bytes, typed, 59_000), 1, typed);
  for (const typed of ['', '28708', '2870820', 'abcdef', '287082x', '२८७०८२'])
    t.equal(stepOf(bytes, typed, 59_000), undefined);
});

t.test('apps read the secret and the name from the address', async (t) => {
  const { uri, secret } = describeTotp(Buffer.from('12345678901234567890'), label);
  t.equal(secret, 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  const url = new URL(uri);
  t.match(url.href, /^otpauth:\/\/totp\/img\.example\.com:noor%40example\.com\?/);
  t.match(Object.fromEntries(url.searchParams), { secret, algorithm: 'SHA1', digits: '6', period: '30' });
  t.equal(newTotpSecret().length, 20);
});

t.test('a sealed secret opens with the same server secret and account only', async (t) => {
  const [one, other] = ['a', 'b'].map((letter) => createSealing(letter.repeat(32)));
  const sealed = one?.seal(Buffer.from('the secret'), 'account-1') ?? '';
  t.notMatch(sealed, /secret/);
  t.not(one?.seal(Buffer.from('the secret'), 'account-1'), sealed, 'each is sealed differently');
  t.equal(one?.open(sealed, 'account-1')?.toString(), 'the secret');
  t.equal(one?.open(sealed, 'account-2'), undefined);
  t.equal(other?.open(sealed, 'account-1'), undefined);
  for (const damaged of ['', 'v1.', `v2.${sealed.slice(3)}`, sealed.slice(0, -2), `${sealed.slice(0, -4)}AAAA`]) {
    t.equal(one?.open(damaged, 'account-1'), undefined, damaged);
  }
});

t.test('recovery codes: ten of 80 bits, read in any case and grouping', async (t) => {
  const codes = newRecoveryCodes();
  t.equal(new Set(codes).size, 10);
  for (const code of codes) t.match(code, /^(?:[A-Z2-7]{4}-){3}[A-Z2-7]{4}$/);
  const hash = hashRecoveryCode('OIBA-2345-ABCD-EFGH');
  for (const typed of ['oiba2345abcdefgh', ' OIBA 2345 ABCD EFGH', '018a-2345-abcd-efgh']) {
    t.equal(hashRecoveryCode(typed), hash, typed);
  }
});
