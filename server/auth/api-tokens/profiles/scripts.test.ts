import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import t from 'tap';
import { signIn } from '../../../testing/account.ts';
import { buildTestApp, listen } from '../../../testing/app.ts';
import { picture } from '../../../testing/pictures.ts';
import { profileOf } from './testing/profile-of.ts';
import { type Place, placeScript } from './testing/script.ts';

const app = await buildTestApp(t);
const origin = await listen(app);

const png = await picture();
/** A name that breaks out of every kind of quotes if it is not quoted. */
const evilName = `it's "$(touch injected)" \`touch injected\` \\ ; touch injected # END`;

const isStored = async (link: string): Promise<boolean> =>
  Buffer.from(await (await fetch(link)).arrayBuffer()).equals(png);

/** Notes the arguments of curl, then runs it. */
const watchCurl = ({ fake }: Place) =>
  fake('curl', 'printf "%s\\n" "$@" >>"$NOTES/arguments"\nPATH=/usr/bin:/bin exec curl "$@"');

/** Fakes the tools of a desktop: the clipboard and the notifications. */
async function fakeDesktop({ fake }: Place): Promise<void> {
  await fake('xclip', 'cat >"$NOTES/clipboard"');
  await fake('notify-send', 'printf "%s\\n" "$@" >"$NOTES/notification"');
}

t.test('the script for curl uploads files with any names, and its arguments do not contain the token', async (t) => {
  const profile = await profileOf(origin, await signIn(app), { profile: 'curl', name: evilName });
  const place = await placeScript(t, profile);
  await watchCurl(place);
  const names = ['plain.png', evilName.replaceAll('/', ''), '-o.png', 'a;type=text,b.png'];
  for (const name of names) await writeFile(join(dirname(place.file), name), png);
  const { code, stdout, stderr } = await place.run(names);
  t.same([code, stderr], [0, '']);
  const links = stdout.trim().split('\n');
  t.equal(links.length, names.length);
  for (const link of links) t.ok(await isStored(link), link);
  t.notMatch(await place.noted('arguments'), profile.secret.slice(8));
  t.equal(await place.noted('injected'), '');
});

t.test('the script for curl names each file that was refused, and uploads the others', async (t) => {
  const profile = await profileOf(origin, await signIn(app), { profile: 'curl' });
  const place = await placeScript(t, profile);
  await writeFile(join(dirname(place.file), 'a.png'), png);
  await writeFile(join(dirname(place.file), 'b.txt'), 'no picture');
  const { code, stdout, stderr } = await place.run(['b.txt', 'a.png', 'missing.png', '.']);
  t.equal(code, 1);
  t.match(stderr, /^b\.txt: .+\nmissing\.png: There is no such file\.\n\.: It is a folder\.\n$/);
  t.ok(await isStored(stdout.trim()));
  t.match(await place.run(), { code: 2, stderr: /^Usage: / });
});

t.test('the script for ksnip prints the link, or fails with a sentence on stderr', async (t) => {
  const account = await signIn(app);
  const profile = await profileOf(origin, account, { profile: 'ksnip', name: evilName });
  const place = await placeScript(t, profile);
  await writeFile(join(dirname(place.file), 'ksnip-tmp-1.png'), png);
  const { code, stdout, stderr } = await place.run(['ksnip-tmp-1.png']);
  t.same([code, stderr], [0, '']);
  const [link = ''] = /https?:\/\/\S+/.exec(stdout) ?? [];
  t.ok(await isStored(link));
  await fetch(`${origin}/api/account/tokens/${profile.id}`, { method: 'DELETE', headers: account.bearer });
  const refused = await place.run(['ksnip-tmp-1.png']);
  t.match(refused, { code: 1, stdout: '', stderr: /^[A-Z].+\.\n$/ });
});

t.test('the script for Flameshot uploads the screenshot, copies its link and leaves nothing behind', async (t) => {
  const profile = await profileOf(origin, await signIn(app), { profile: 'flameshot', name: evilName });
  const place = await placeScript(t, profile);
  await fakeDesktop(place);
  await watchCurl(place);
  await writeFile(join(dirname(place.file), 'shot.png'), png);
  await place.fake('flameshot', '[ "$*" = "gui -r" ] && cat "$NOTES/shot.png"');
  t.match(await place.run(), { code: 0, stdout: '' });
  const link = await place.noted('clipboard');
  t.ok(await isStored(link), link);
  t.equal(await place.noted('notification'), `--\nScreenshot uploaded\nLink copied: ${link}\n`);
  t.same(await place.temporary(), []);
  t.notMatch(await place.noted('arguments'), profile.secret.slice(8));
  t.equal(await place.noted('injected'), '');

  await place.fake('wl-copy', 'cat >"$NOTES/wayland"');
  t.match(await place.run([], { WAYLAND_DISPLAY: 'wayland-0' }), { code: 0 });
  t.match(await place.noted('wayland'), /^http/);
});

t.test('a cancelled screenshot uploads nothing, whatever Flameshot does then', async (t) => {
  const account = await signIn(app);
  const place = await placeScript(t, await profileOf(origin, account, { profile: 'flameshot' }));
  await fakeDesktop(place);
  await watchCurl(place);
  for (const cancelled of ['exit 0', 'exit 1', 'echo "screenshot aborted"', 'echo "screenshot aborted"; exit 1']) {
    await place.fake('flameshot', cancelled);
    t.match(await place.run(), { code: 0, stdout: '' }, cancelled);
  }
  t.same(
    [await place.noted('arguments'), await place.noted('clipboard'), await place.noted('notification')],
    ['', '', ''],
  );
  t.same(await place.temporary(), []);
});

t.test('the script for Flameshot reports a refusal, and keeps the clipboard', async (t) => {
  const account = await signIn(app);
  const profile = await profileOf(origin, account, { profile: 'flameshot' });
  const place = await placeScript(t, profile);
  await fakeDesktop(place);
  await writeFile(join(dirname(place.file), 'shot.png'), png);
  await place.fake('flameshot', 'cat "$NOTES/shot.png"');
  await fetch(`${origin}/api/account/tokens/${profile.id}`, { method: 'DELETE', headers: account.bearer });
  t.match(await place.run(), { code: 1, stderr: /^Screenshot not uploaded: [A-Z].+\.\n$/ });
  t.match(await place.noted('notification'), /^--\nScreenshot not uploaded\n/);
  t.equal(await place.noted('clipboard'), '');
  t.same(await place.temporary(), []);
});

t.test('the script for Flameshot names the tool that is missing', async (t) => {
  const profile = await profileOf(origin, await signIn(app), { profile: 'flameshot' });
  const place = await placeScript(t, profile, ['curl']);
  t.match(await place.run(), { code: 1, stderr: /Install flameshot\./ });
  await place.fake('flameshot', 'touch "$NOTES/started"');
  t.match(await place.run(), { code: 1, stderr: /Install curl\./ });
  await place.fake('curl', 'exit 1');
  t.match(await place.run(), { code: 1, stderr: /Install wl-clipboard \(Wayland\) or xclip \(X11\)\./ });
});
