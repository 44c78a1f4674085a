import t from 'tap';
import { admin } from '../testing/processes.ts';

t.test('a variable that is wrong is told in one line', async (t) => {
  t.same(await admin(t, ['users', 'list'], { PORT: 'abc' }), {
    code: 1,
    stdout: '',
    stderr: 'PORT must be a whole number from 0 to 65535, but was "abc"\n',
  });
  const url = 'postgres://someone:hidden@127.0.0.1:1/none';
  const { code, stderr } = await admin(t, ['users', 'list'], { DATABASE_URL: url });
  t.equal(code, 1);
  t.match(stderr, /^DATABASE_URL: the database at 127\.0\.0\.1:1 does not answer[^\n]*\n$/);
  t.notMatch(stderr, 'hidden');
});

t.test('words that make no command end with 2, and help with 0', async (t) => {
  for (const words of [
    [],
    ['users'],
    ['nonsense'],
    ['users', 'nonsense'],
    ['users', 'list', '--nonsense'],
    ['migrate', 'x'],
  ]) {
    const { code, stdout, stderr } = await admin(t, words, {});
    t.equal(code, 2, words.join(' '));
    t.equal(stdout, '');
    t.match(stderr, /--help/);
  }
  for (const words of [['--help'], ['users', '--help'], ['users', 'list', '--help'], ['migrate', '--help']]) {
    const { code, stdout, stderr } = await admin(t, words, {});
    t.equal(code, 0, words.join(' '));
    t.match(stdout, /^Usage: admin/);
    t.equal(stderr, '');
  }
});
