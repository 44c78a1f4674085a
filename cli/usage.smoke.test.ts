/** Arguments, by the built client: exit codes and what is printed. */
import t from 'tap';
import { createClient } from './testing/client.ts';

const { run } = await createClient(t);

const wrong: [args: string[], message: string][] = [
  [[], 'Name a command. See "gallery --help".'],
  [['uplaod'], 'There is no command "uplaod". See "gallery --help".'],
  [['constructor'], 'There is no command "constructor". See "gallery --help".'],
  [['upload'], 'Name a file, or "-" for standard input. See "gallery upload --help".'],
  [['upload', '--expire', '7d', 'a'], `Unknown option '--expire'. See "gallery upload --help".`],
  [['upload', '--expires', 'soon', 'a'], '--expires is a time such as 12h or 7d. See "gallery upload --help".'],
  [['upload', '--copy', 'rtf', 'a'], '--copy is one of link, md, html, bbcode. See "gallery upload --help".'],
  [['upload', '-', '-'], 'Standard input can be read only once. See "gallery upload --help".'],
  [['push'], 'Name one folder. See "gallery push --help".'],
  [['push', '/nowhere'], '/nowhere: There is no such file. See "gallery push --help".'],
  [['push', '--albums', 'years', '/'], '--albums is one of folders. See "gallery push --help".'],
  [['push', '--watch', '--dry-run', '/'], 'Use either --dry-run or --watch. See "gallery push --help".'],
  [['ls', '--limit', '0'], '--limit is a whole number from 1. See "gallery ls --help".'],
  [['rm', 'holiday.jpg'], '"holiday.jpg" is neither an id nor a link. See "gallery rm --help".'],
  [['login', 'ftp://a.example'], '"ftp://a.example" is not the address of a gallery. See "gallery login --help".'],
];

t.test('wrong usage ends with 2 and one line that names the help', async (t) => {
  for (const [args, message] of wrong) {
    t.same(await run(...args), { code: 2, stdout: '', stderr: `gallery: ${message}\n` }, args.join(' '));
  }
});

t.test('help is printed for the program and each command, without a login', async (t) => {
  for (const name of ['login', 'upload', 'push', 'ls', 'rm']) {
    const { code, stdout } = await run(name, '--help');
    t.equal(code, 0);
    t.match(stdout, `Usage: gallery ${name} `);
    t.match((await run('--help')).stdout, `  ${name} `);
  }
});

t.test('a command without a login fails and says how to log in', async (t) => {
  const { code, stderr } = await run('ls');
  t.equal(code, 1);
  t.match(stderr, 'You are not logged in. Run "gallery login"');
});
