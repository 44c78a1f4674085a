import { stat } from 'node:fs/promises';
import { hash } from '@node-rs/argon2';
import t from 'tap';
import { hashPassword, passwordMatches } from './passwords.ts';

t.test('in a storm of logins the file system goes on, and who comes too late is told so', async (t) => {
  // Quick to compare with: what counts is how many are at work and how many wait.
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
  t.ok(waiting > 0, 'the file system answered while logins were under way');
  const found = await Promise.all(outcomes);
  const refused = found.filter((outcome) => outcome === 'SERVER_BUSY').length;
  t.ok(refused >= 142 && refused <= 144, `two at work and 256 waiting leave ${refused}`);
  t.equal(found.filter((outcome) => outcome === false).length, 400 - refused);
});

t.test('a password is composed before it is hashed', async (t) => {
  t.ok(await passwordMatches('caf\u00e9 au lait', await hashPassword('cafe\u0301 au lait')));
  t.notOk(await passwordMatches('anything', undefined));
});
