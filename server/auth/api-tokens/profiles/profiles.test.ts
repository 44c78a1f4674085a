import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import t from 'tap';
import { ProfileProgram } from '../../../contract.ts';
import { proofOf, signIn } from '../../../testing/account.ts';
import { buildTestApp, temporaryFolder } from '../../../testing/app.ts';
import { createSecret } from '../secret.ts';
import { makeProfile } from './make-profile.ts';
import type { ProfileSource } from './profile.ts';
import { quoted } from './shell.ts';

const run = promisify(execFile);
const { secret } = createSecret();
const source: ProfileSource = {
  origin: 'https://img.example.com',
  secret,
  token: { name: 'a program' },
  language: 'en',
};
const programs = ProfileProgram.anyOf.map((program) => program.const);

/** Names with everything that ends a quotation, a comment or a line. */
const names = [
  `it's`,
  '"; exit 1 #',
  '$(exit 1) `exit 1`',
  'one\nexit 1',
  'one\r\nexit 1',
  'one\u2028exit 1\u0085exit 1',
  '\\',
  'END',
  '{json:x}',
  '\u202Eexit 1',
];

t.test('every profile contains the token and the origin, and only where it must', async (t) => {
  for (const program of programs) {
    const profile = makeProfile(program, source);
    t.match(profile, { filename: /^[a-z.-]+$/, content_type: /^(application|text)\/[a-z-]+$/ }, program);
    t.ok(profile?.text.includes(secret) && profile.text.includes('https://img.example.com'), program);
    t.equal(profile?.text.split(secret).length, 2, `${program} has the secret once`);
    t.ok(profile?.text.endsWith('\n'));
  }
  t.equal(makeProfile(null, source), null);
  t.equal(makeProfile(undefined, source), null);
});

t.test('the name of a token is one comment of a script, whatever it contains', async (t) => {
  const withName = (program: ProfileProgram, name: string) =>
    makeProfile(program, { ...source, token: { name } })?.text ?? '';
  const withoutName = (text: string) => text.replace(/^# Token: .*$/m, '');
  for (const name of names) {
    for (const program of ['flameshot', 'ksnip', 'curl', 'cli'] as const) {
      const text = withName(program, name);
      t.equal(withoutName(text), withoutName(withName(program, 'plain')), `${program}: ${encodeURIComponent(name)}`);
      await t.resolves(run('sh', ['-n', '-c', text]));
    }
    for (const program of ['sharex', 'picgo'] as const) t.doesNotThrow(() => JSON.parse(withName(program, name)));
  }
});

t.test('a quoted text is one word, unchanged', async (t) => {
  const folder = await temporaryFolder(t);
  for (const text of [...names, '', '*', '~', '-n', 'a b'])
    t.equal((await run('sh', ['-c', `printf %s ${quoted(text)}`], { cwd: folder })).stdout, text);
});

t.test('the variables of the command line client are what a shell reads', async (t) => {
  const text = makeProfile('cli', source)?.text ?? '';
  const { stdout } = await run('sh', ['-c', `${text}\nprintf '%s %s' "$GALLERY_URL" "$GALLERY_TOKEN"`]);
  t.equal(stdout, `https://img.example.com ${secret}`);
});

t.test('PicGo gets a link by the settings’ path, and the headers as JSON in a text', async (t) => {
  const { picBed } = JSON.parse(makeProfile('picgo', source)?.text ?? '');
  t.match(picBed, { uploader: 'web-uploader', current: 'web-uploader' });
  const { customHeader, jsonPath, paramName, url } = picBed['web-uploader'];
  t.same(JSON.parse(customHeader), { Authorization: `Bearer ${secret}`, Connection: 'close' });
  t.same([url, paramName, jsonPath], ['https://img.example.com/api/images/upload', 'images', 'images.0.url']);
});

t.test('the steps for iOS are in the wanted language', async (t) => {
  const text = (language: 'en' | 'ar') => makeProfile('ios', { ...source, language })?.text ?? '';
  t.match(text('en'), /\n1\. Open Shortcuts/);
  t.match(text('ar'), /\n1\. افتح/);
  for (const language of ['en', 'ar'] as const) t.ok(text(language).includes(`\`Bearer ${secret}\``), language);
  t.equal(text('en').split('\n').length, text('ar').split('\n').length);
});

t.test('a profile is made with the public address of the server', async (t) => {
  const app = await buildTestApp(t, { publicUrl: 'https://pictures.example' });
  const account = await signIn(app);
  const ask = async (payload: object) =>
    app.inject({
      method: 'POST',
      url: '/api/account/tokens',
      headers: account.bearer,
      payload: { name: 'a', scopes: ['images:upload'], ...payload },
    });
  t.match((await ask({ profile: 'curl' })).json().profile.text, /'https:\/\/pictures\.example\/api\/images\/upload'/);
  t.equal((await ask({})).json().profile, null);
  t.equal((await ask({ profile: null })).json().profile, null);
  t.match((await ask({ profile: 'paint' })).json(), { statusCode: 400 });
  t.match((await ask({ profile: 'sharex', scopes: ['images:read'] })).json(), {
    code: 'INVALID_REQUEST',
    message: /images:upload/,
  });
  const proof = await proofOf(app, account.bearer);
  t.equal((await ask({ profile: 'cli', scopes: ['images:read'], proof })).json().profile.filename, 'gallery.env');
});
