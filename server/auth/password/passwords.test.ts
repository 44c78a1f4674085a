import { stat } from 'node:fs/promises';
import { hash } from '@node-rs/argon2';
import t from 'tap';
import { hashPassword, passwordMatches } from './passwords.ts';

t.test('a flood of logins does not block the file system, and excess logins are refused', async (t) => {
  // A cheap hash: the test counts logins at work and waiting, not time.
  const storedHash = await hash('correct horse', { memoryCost: 1024, timeCost: 1, parallelism: 1 });
  let waiting = 0;
  const outcomes = Array.from({ length: 400 }, async () => {
    waiting += 1;
    try {
      return await passwordMatches('wrong', storedHash);
    } catch (error) {
      return (error as { code: string }).code;
    } finally {
      waiting -= 1;
    }
  });
  await stat('.');
  t.ok(waiting > 0, 'the file system answered during the logins');
  const found = await Promise.all(outcomes);
  const refused = found.filter((outcome) => outcome === 'SERVER_BUSY').length;
  t.ok(refused >= 142 && refused <= 144, `two at work and 256 waiting leave ${refused}`);
  t.equal(found.filter((outcome) => outcome === false).length, 400 - refused);
});

t.test('one address fills a quarter of the queue, and others are checked', async (t) => {
  const storedHash = await hash('correct horse', { memoryCost: 1024, timeCost: 1, parallelism: 1 });
  const check = (ip: string) => passwordMatches('wrong', storedHash, ip).catch(({ code }) => code);
  const flood = Array.from({ length: 100 }, (_, at) => check(at % 2 === 0 ? '2001:db8:1:1::1' : '2001:db8:1:2::1'));
  t.equal(await check('192.0.2.1'), false);
  const found = await Promise.all(flood);
  t.equal(found.filter((outcome) => outcome === 'SERVER_BUSY').length, 100 - 64);
});

t.test('a password is normalized before it is hashed', async (t) => {
  t.ok(await passwordMatches('caf\u00e9 au lait', await hashPassword('cafe\u0301 au lait')));
  t.notOk(await passwordMatches('anything', undefined));
});
