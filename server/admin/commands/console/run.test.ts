import { type Command, CommanderError } from 'commander';
import t from 'tap';
import { readConfig } from '../../../config/read-config.ts';
import { admin } from '../../../testing/processes.ts';
import { createProgram } from '../program.ts';
import { createShell } from './shell.ts';

t.test('an invalid variable is reported in one line', async (t) => {
  t.same(await admin(t, ['users', 'list'], { PORT: 'abc' }), {
    code: 1,
    stdout: '',
    stderr: 'PORT must be a whole number from 0 to 65535, but was "abc"\n',
  });
  const url = 'postgres://someone:hidden@127.0.0.1:1/none';
  const { code, stderr } = await admin(t, ['users', 'list'], { DATABASE_URL: url });
  t.equal(code, 1);
  t.match(stderr, /^DATABASE_URL: the database does not answer \(ECONNREFUSED\)[^\n]*\n$/);
  t.notMatch(stderr, 'hidden');
});

/** The result of parsing arguments that start no work. */
async function parse(args: string[]) {
  const program = createProgram(createShell(() => readConfig({}), new AbortController().signal));
  const printed = { stdout: '', stderr: '' };
  const print = (command: Command) => {
    command.configureOutput({
      writeOut: (text) => {
        printed.stdout += text;
      },
      writeErr: (text) => {
        printed.stderr += text;
      },
    });
    command.commands.forEach(print);
  };
  print(program);
  const end: unknown = await program.parseAsync(args, { from: 'user' }).catch((error) => error);
  return { ...printed, isRefused: end instanceof CommanderError && end.exitCode !== 0 };
}

t.test('arguments that form no command exit with 2, and help exits with 0', async (t) => {
  for (const args of [
    [],
    ['users'],
    ['nonsense'],
    ['users', 'nonsense'],
    ['users', 'list', '--nonsense'],
    ['migrate', 'x'],
  ]) {
    t.match(await parse(args), { stdout: /^$/, stderr: /--help/, isRefused: true }, args.join(' '));
  }
  t.match(await admin(t, ['users', 'nonsense'], {}), { code: 2, stdout: /^$/, stderr: /--help/ });
  for (const args of [['--help'], ['users', '--help'], ['users', 'list', '--help'], ['migrate', '--help']]) {
    t.match(await parse(args), { stdout: /^Usage: admin/, stderr: /^$/, isRefused: false }, args.join(' '));
  }
  t.match(await admin(t, ['users', 'list', '--help'], {}), { code: 0, stdout: /^Usage: admin/, stderr: /^$/ });
});
