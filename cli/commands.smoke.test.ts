/** `login`, `upload`, `ls` and `rm` of the built client against a whole server. */
import { execFile } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { makeProfile } from '../server/auth/api-tokens/profiles/make-profile.ts';
import type { Image, Scope } from '../server/contract.ts';
import { SCOPES } from '../server/http/scopes.ts';
import { signIn } from '../server/testing/account.ts';
import { createApiToken } from '../server/testing/api-token.ts';
import { buildTestApp, listen, temporaryFolder } from '../server/testing/app.ts';
import { picture } from '../server/testing/pictures.ts';
import { createClient, program } from './testing/client.ts';

const app = await buildTestApp(t);
const origin = await listen(app);
const folder = await temporaryFolder(t);
const file = async (name: string, bytes: Uint8Array | string) => {
  await writeFile(join(folder, name), bytes);
  return join(folder, name);
};
const red = await file('red & "round".png', await picture({ colour: '#f00' }));
const blue = await file('blue.png', await picture({ colour: '#00f' }));
const text = await file('text.png', 'no picture');

/** A new account, a token of it, and a client that is logged in by the environment. */
async function begin(t: Test, scopes: readonly Scope[] = SCOPES) {
  const account = await signIn(app);
  const { secret } = await createApiToken(app, account, [...scopes]);
  const client = await createClient(t, { GALLERY_URL: origin, GALLERY_TOKEN: secret });
  const listed = async (): Promise<Image[]> =>
    (await app.inject({ url: `${origin}/api/images`, headers: account.bearer })).json().images;
  return { account, secret, client, listed };
}

t.test('the server serves the built client', async (t) => {
  t.equal((await app.inject('/cli/gallery.mjs')).body, await readFile(program, 'utf8'));
});

t.test('a login is checked, stored for this user alone, and used by later commands', async (t) => {
  const { secret } = await begin(t);
  const client = await createClient(t);
  const stored = join(client.home, '.config/gallery/login.json');
  const wrong = await client.feed('enc_wrong\n', 'login', origin);
  t.equal(wrong.code, 1);
  t.match(wrong.stderr, 'The server does not accept this token.');
  await t.rejects(stat(stored), { code: 'ENOENT' });
  const { code, stdout } = await client.feed(`${origin}/\n${secret}\n`, 'login');
  t.equal(code, 0);
  t.match(stdout, `Logged in to ${origin} with the token "a program" (images:upload, `);
  t.notMatch(stdout, secret);
  t.same(JSON.parse(await readFile(stored, 'utf8')), { address: origin, token: secret });
  t.equal((await stat(stored)).mode & 0o777, 0o600);
  t.equal((await client.run('ls')).code, 0);
});

t.test('the lines of a profile log in without a question', async (t) => {
  const { secret } = await begin(t);
  const client = await createClient(t);
  const profile = makeProfile('cli', { origin, secret, token: { name: 'a program' }, language: 'en' })?.text ?? '';
  await writeFile(join(client.home, 'gallery.env'), profile);
  const line = String(/^# To use this file: (.+)$/m.exec(profile)?.[1]).replace('gallery.mjs', program);
  const env = { PATH: process.env.PATH ?? '', HOME: client.home };
  await promisify(execFile)('sh', ['-c', `${line} < /dev/null`], { cwd: client.home, env });
  t.same(JSON.parse(await readFile(join(client.home, '.config/gallery/login.json'), 'utf8')), {
    address: origin,
    token: secret,
  });
  t.equal((await client.run('ls')).code, 0, 'without the variables');
});

t.test('login sends the token of the environment to no address that is named', async (t) => {
  const { client } = await begin(t);
  const { code, stderr } = await client.run('login', origin);
  t.equal(code, 2);
  t.match(stderr, 'Type or pipe in the token.');
});

t.test('the stored token is not sent to another address', async (t) => {
  const { secret } = await begin(t);
  const client = await createClient(t, { GALLERY_URL: 'http://127.0.0.1:9' });
  await client.feed(`${secret}\n`, 'login', origin);
  const { code, stderr } = await client.run('ls');
  t.equal(code, 1);
  t.match(stderr, 'There is no token for http://127.0.0.1:9.');
});

t.test('each format prints one line for each file, in order', async (t) => {
  const { client, listed } = await begin(t, ['images:upload']);
  const plain = await client.run('upload', blue, red);
  t.equal(plain.code, 0, plain.stderr);
  const [first, second] = (await listed()).toReversed();
  t.equal(plain.stdout, `${first?.url}\n${second?.url}\n`);
  t.same([first?.filename, second?.filename], ['blue.png', 'red & "round".png']);
  const newest = async () => (await listed())[0]?.url;
  for (const [format, line] of [
    ['link', (url: string) => url],
    ['md', (url: string) => `![red & "round".png](${url})`],
    ['html', (url: string) => `<img src="${url}" alt="red &#38; &#34;round&#34;.png">`],
    ['bbcode', (url: string) => `[img]${url}[/img]`],
  ] as const) {
    const { stdout, stderr } = await client.run('upload', '--copy', format, red);
    t.match(stderr, /^gallery: Nothing was copied[^\n]+Copy the lines above yourself\.\n$/, 'no clipboard');
    t.equal(stdout, `${line(String(await newest()))}\n`, format);
  }
});

t.test('a picture on standard input is named after its type', async (t) => {
  const { client, listed } = await begin(t);
  const { code, stdout } = await client.feed(await picture({ format: 'webp' }), 'upload', '-');
  t.equal(code, 0);
  const [image] = await listed();
  t.equal(stdout, `${image?.url}\n`);
  t.equal(image?.filename, 'image.webp');
  const empty = await client.feed('', 'upload', '-');
  t.match(empty, { code: 1, stderr: 'gallery: -: Standard input is empty.\n' });
});

t.test('a failed file is named with its reason, and the others are uploaded', async (t) => {
  const { client, listed } = await begin(t);
  const { code, stdout, stderr } = await client.run('upload', text, '/nowhere.png', folder, red);
  t.equal(code, 1);
  const [image] = await listed();
  t.equal(stdout, `${image?.url}\n`);
  const lines = stderr.trimEnd().split('\n');
  t.match(lines, [
    `gallery: ${text}: The file is not an image the server accepts`,
    'gallery: /nowhere.png: There is no such file.',
    `gallery: ${folder}: It is a folder. Use "gallery push".`,
  ]);
});

t.test('a name that controls the terminal is printed without its codes', async (t) => {
  const { client } = await begin(t);
  const link = `${origin}/\u001b[2J`;
  t.equal((await client.run('upload', '/no\u001b[2J\n.png')).stderr, 'gallery: /no?[2J?.png: There is no such file.\n');
  t.equal((await client.run('rm', link)).stderr, `gallery: ${origin}/?[2J: You have no picture with this link.\n`);
});

t.test('an unknown album and a token without the scope stop before anything is uploaded', async (t) => {
  const { client, listed } = await begin(t);
  const { code, stderr } = await client.run('upload', '--album', 'Nowhere', red);
  t.same([code, stderr], [1, 'gallery: There is no album "Nowhere".\n']);
  t.same(await listed(), []);
  const reading = await begin(t, ['images:read']);
  const refused = await reading.client.run('upload', red, blue);
  t.equal(refused.code, 1);
  t.equal(
    refused.stderr,
    `gallery: ${red}: This API token lacks the scope for this call: images:upload.\ngallery: ${blue}: Not sent.\n`,
  );
});

t.test('ls lists what a search finds, and rm deletes by id and by link', async (t) => {
  const { client, listed } = await begin(t);
  await client.run('upload', red, blue, blue);
  const images = await listed();
  const all = await client.run('ls');
  t.same(
    all.stdout.trimEnd().split('\n'),
    images.map(({ id, uploaded_at, size, url, filename }) => [id, uploaded_at, size, url, filename].join('\t')),
  );
  t.match((await client.run('ls', 'red')).stdout, /^[^\n]+\tred & "round".png\n$/);
  const json = await client.run('ls', '--json', '--limit', '1');
  t.match(JSON.parse(json.stdout), { id: images[0]?.id });
  const none = '00000000-0000-7000-8000-000000000000';
  const { code, stderr } = await client.run('rm', String(images[0]?.id), none, String(images[2]?.url));
  t.equal(code, 1);
  t.equal(stderr.split('\n').length, 2, stderr);
  t.match(stderr, `gallery: ${none}: `);
  t.same(
    (await listed()).map(({ id }) => id),
    [images[1]?.id],
  );
});
