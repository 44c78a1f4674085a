/** Real programs upload with the profiles that the server writes for them. */
import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import type { Image, ProfileProgram } from '../../../contract.ts';
import { signIn } from '../../../testing/account.ts';
import { buildTestApp, listen, temporaryFolder } from '../../../testing/app.ts';
import { eventually } from '../../../testing/eventually.ts';
import { picture } from '../../../testing/pictures.ts';
import { type Desktop, startDesktop, withoutPrograms } from './testing/desktop.ts';
import { profileOf } from './testing/profile-of.ts';

t.setTimeout(400_000);

const run = promisify(execFile);
const app = await buildTestApp(t);
const origin = await listen(app);
const png = await picture({ width: 120, height: 90 });

/** An account, the profile of a program, and what it uploads. */
async function begin(program: ProfileProgram) {
  const account = await signIn(app);
  const profile = await profileOf(origin, account, { profile: program, name: `It's "${program}"` });
  return {
    profile,
    images: async () => {
      const answer = await fetch(`${origin}/api/images`, { headers: account.bearer });
      return ((await answer.json()) as { images: Image[] }).images;
    },
    endToken: () => fetch(`${origin}/api/account/tokens/${profile.id}`, { method: 'DELETE', headers: account.bearer }),
  };
}

const isStored = async (link: string): Promise<boolean> =>
  Buffer.from(await (await fetch(link)).arrayBuffer()).equals(png);

t.test('curl', async (t) => {
  const { profile, images } = await begin('curl');
  const folder = await temporaryFolder(t);
  const names = ['a.png', 'b "2".png'];
  for (const name of names) await writeFile(join(folder, name), png);
  await writeFile(join(folder, profile.filename), profile.text, { mode: 0o700 });
  const { stdout } = await run(join(folder, profile.filename), names, { cwd: folder });
  const links = stdout.trim().split('\n');
  t.equal(links.length, 2);
  for (const link of links) t.ok(await isStored(link), link);
  t.same((await images()).map(({ filename }) => filename).toSorted(), names);
});

/** Installs PicGo 3 and its web uploader. @returns the program; undefined if no package registry answers */
async function installPicgo(folder: string): Promise<string | undefined> {
  const words = ['install', '--no-audit', '--no-fund', '--ignore-scripts', 'picgo@3', 'picgo-plugin-web-uploader@1'];
  await writeFile(join(folder, 'package.json'), '{"private": true}');
  const installed = await run('npm', words, { cwd: folder, timeout: 240_000 }).then(
    () => true,
    () => false,
  );
  return installed ? join(folder, 'node_modules/picgo/bin/picgo') : undefined;
}

t.test('PicGo 3 with its web uploader', async (t) => {
  const folder = await temporaryFolder(t);
  const program = await installPicgo(folder);
  if (!program) return void t.pass('PicGo', { skip: 'PicGo could not be installed: no package registry answers' });
  const { profile, images, endToken } = await begin('picgo');
  await writeFile(join(folder, profile.filename), profile.text);
  await writeFile(join(folder, 'drawing.png'), png);
  const upload = async () => {
    const words = [program, '-c', `./${profile.filename}`, 'upload', './drawing.png'];
    const env = { PATH: process.env.PATH ?? '', HOME: folder };
    // It would wait for 72 s for its connections to be closed, if the profile did not close them.
    return (await run(process.execPath, words, { cwd: folder, env, timeout: 45_000 })).stdout;
  };
  const [link = ''] = /^http\S+$/m.exec(await upload()) ?? [];
  t.ok(await isStored(link), link);
  t.match(await images(), [{ url: link, filename: 'drawing.png' }]);
  await endToken();
  t.notMatch(await upload(), /^http/m, 'an ended token uploads nothing');
  t.equal((await images()).length, 1);
});

/** Selects an area of 201 × 151 px at the pace of a hand, because Flameshot misses faster movements, and accepts it. */
async function selectArea({ press, window }: Desktop): Promise<void> {
  await window('flameshot');
  const steps = [
    ['mousemove', '100', '100'],
    ['mousedown', '1'],
    ['mousemove', '200', '180'],
    ['mousemove', '300', '250'],
    ['mouseup', '1'],
    ['key', 'Return'],
  ];
  for (const step of steps) await press('sleep', '0.5', ...step);
}

const withoutFlameshot = withoutPrograms('flameshot', 'curl');

t.test('Flameshot, through the generated script', { skip: withoutFlameshot }, async (t) => {
  const { profile, images, endToken } = await begin('flameshot');
  const desktop = await startDesktop(t);
  const script = await desktop.placeProfile(profile);

  const cancelled = desktop.start(script);
  await desktop.window('flameshot');
  await desktop.press('key', 'Escape');
  t.match(await cancelled, { code: 0, stdout: '' }, 'a cancelled screenshot');
  t.same([await images(), await desktop.clipboard()], [[], '']);

  const taken = desktop.start(script);
  await selectArea(desktop);
  t.match(await taken, { code: 0 });
  const [image] = await images();
  t.match(image, { width: 201, height: 151, content_type: 'image/png', filename: /^\d{4}-\d\d-\d\d_[\d-]+\.png$/ });
  t.equal(await desktop.clipboard(), image?.url);
  const left = await readdir(join(desktop.home, 'run'));
  t.same(
    left.filter((name) => name.startsWith('screenshot.')),
    [],
  );

  await endToken();
  const refused = desktop.start(script);
  await selectArea(desktop);
  t.match(await refused, { code: 1, stderr: /Screenshot not uploaded: \S/ });
  t.equal(await desktop.clipboard(), image?.url, 'the clipboard is unchanged');
});

/** What the first lines of the script say, as ksnip stores it. */
const ksnipSettings = (script: string) => `[Uploader]
UploaderType=1
ConfirmBeforeUpload=false

[UploadScript]
UploadScriptPath=${script}
CopyOutputToClipboard=true
UploadScriptStoOnStdErr=true
CopyOutputFilter=https?://\\\\S+
`;

t.test('ksnip, through the generated script', { skip: withoutPrograms('ksnip', 'curl') }, async (t) => {
  const { profile, images, endToken } = await begin('ksnip');
  const desktop = await startDesktop(t);
  for (const line of ['Uploader Type: Script', 'StdErr: on', 'clipboard: on', 'Filter: https?://\\S+'])
    t.ok(profile.text.includes(line), `the script names the setting ${line}`);
  await desktop.place('.config/ksnip/ksnip.conf', ksnipSettings(await desktop.placeProfile(profile)));

  const taken = await desktop.start('ksnip', ['--fullscreen', '--upload']);
  const [first] = await images();
  t.match(first, { width: 800, height: 600, filename: /^ksnip_tmp_\w+\.png$/ });
  t.ok(taken.stdout.includes(`Upload result: ${first?.url}`), taken.stdout);

  const closed = desktop.start('ksnip', [await desktop.place('drawing.png', png)]);
  await desktop.press('windowfocus', '--sync', await desktop.window('ksnip'), 'key', 'shift+u');
  await eventually('the edited image is uploaded', async () => (await images()).length === 2);
  const [edited] = await images();
  t.match(edited, { width: 120, height: 90 });
  t.equal(await eventually('the link is copied', async () => (await desktop.clipboard()) || undefined), edited?.url);

  await desktop.press('key', 'ctrl+q');
  await closed;

  await endToken();
  const refused = await desktop.start('ksnip', ['--fullscreen', '--upload']);
  t.match(refused.stderr, /Upload failed/);
  t.equal((await images()).length, 2);
});
