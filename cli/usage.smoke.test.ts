/** Arguments, by the built client: exit codes and what is printed. */
import { execFile } from 'node:child_process';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { temporaryFolder } from '../server/testing/app.ts';
import { createClient, program } from './testing/client.ts';
import { serve } from './testing/serve.ts';

const { run } = await createClient(t);

const wrong: [args: string[], message: string][] = [
  [[], 'Name a command. See "gallery --help".'],
  [['uplaod'], 'There is no command "uplaod". See "gallery --help".'],
  [['constructor'], 'There is no command "constructor". See "gallery --help".'],
  [['upload'], 'Name a file, or "-" for standard input. See "gallery upload --help".'],
  [['upload', '--expire', '7d', 'a'], `Unknown option '--expire'. See "gallery upload --help".`],
  ...['soon', '4m', '6y', '9999999y'].map((time): [string[], string] => [
    ['upload', '--expires', time, 'a'],
    '--expires is a time from 5m to 5y, such as 12h or 7d. See "gallery upload --help".',
  ]),
  [['upload', '--copy', 'rtf', 'a'], '--copy is one of link, md, html, bbcode. See "gallery upload --help".'],
  [['upload', '-', '-'], 'Standard input can be read only once. See "gallery upload --help".'],
  [['push'], 'Name one folder. See "gallery push --help".'],
  [['push', '/nowhere'], '/nowhere: There is no such file. See "gallery push --help".'],
  [['push', '--albums', 'years', '/'], '--albums is one of folders. See "gallery push --help".'],
  [['push', '--watch', '--dry-run', '/'], 'Use either --dry-run or --watch. See "gallery push --help".'],
  [['ls', '--limit', '0'], '--limit is a whole number from 1. See "gallery ls --help".'],
  [['ls', 'size:'], `"size:" has no value. Put it into quotes, such as 'size:>5mb'. See "gallery ls --help".`],
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

t.test('the program runs under any name, also on Nodes that take a file without extension for CommonJS', async (t) => {
  const folder = await temporaryFolder(t);
  for (const name of ['gallery', 'gallery.mjs', 'gallery.cjs']) {
    const file = join(folder, name);
    await copyFile(program, file);
    const words = ['--no-experimental-detect-module', file, '--help'];
    t.match((await promisify(execFile)(process.execPath, words)).stdout, 'Usage: gallery COMMAND', name);
  }
});

t.test('a command without a login fails and says how to log in', async (t) => {
  const { code, stderr } = await run('ls');
  t.equal(code, 1);
  t.match(stderr, 'You are not logged in. Run "gallery login"');
});

t.test('ls restores the quotes that the shell removed from the name of an album', async (t) => {
  let search: string | null = null;
  const { connection } = await serve(t, ({ url = '' }, response) => {
    search = new URL(url, 'http://localhost').searchParams.get('search');
    response.end(JSON.stringify({ images: [], totalPages: 0 }));
  });
  const client = await createClient(t, { GALLERY_URL: connection.address, GALLERY_TOKEN: 'secret' });
  await client.run('ls', 'red kite', 'size:>5mb', 'album:Summer trip');
  t.equal(search, 'red kite size:>5mb album:"Summer trip"');
});

t.test('ls and rm say on stderr why they wait', async (t) => {
  let calls = 0;
  const { connection } = await serve(t, (_request, response) => {
    calls += 1;
    if (calls % 2 === 1) return void response.writeHead(503, { 'retry-after': '0' }).end();
    response.end(JSON.stringify({ images: [], totalPages: 0 }));
  });
  const client = await createClient(t, { GALLERY_URL: connection.address, GALLERY_TOKEN: 'secret' });
  const stderr = 'gallery: the server is busy, trying again in 1 s\n';
  for (const args of [['ls'], ['rm', '00000000-0000-7000-8000-000000000000']])
    t.same(await client.run(...args), { code: 0, stdout: '', stderr });
});
