import t from 'tap';
import { signIn } from '../../../testing/account.ts';
import { buildTestApp, listen } from '../../../testing/app.ts';
import { picture } from '../../../testing/pictures.ts';
import { profileOf } from './testing/profile-of.ts';
import { readSxcu, runSxcu } from './testing/sxcu.ts';

const app = await buildTestApp(t);
const origin = await listen(app);

t.test('ShareX uploads with the profile, and gets the link, the thumbnail and the deletion link', async (t) => {
  const { filename, text } = await profileOf(origin, await signIn(app), {
    profile: 'sharex',
    name: 'My {PC} | "home"',
  });
  t.equal(filename, 'gallery.sxcu');
  const sxcu = readSxcu(text);
  t.match(sxcu, { Name: 'My {PC} | "home"', RequestURL: `${origin}/api/images/upload?delete_link=1` });
  const bytes = await picture();
  const { url, thumbnailUrl, deletionUrl, error } = await runSxcu(sxcu, { name: 'Ein Bild.png', bytes });
  t.equal(error, '');
  const original = await fetch(url);
  t.same(Buffer.from(await original.arrayBuffer()), bytes);
  t.equal((await fetch(thumbnailUrl)).status, 200);
  t.equal((await fetch(deletionUrl)).status, 200);
  t.equal((await fetch(url)).status, 200, 'a GET deletes nothing');
  t.equal((await fetch(deletionUrl, { method: 'POST' })).status, 200);
  t.equal((await fetch(url)).status, 404);
});

t.test('ShareX shows why its only file was refused, and that a token has ended', async (t) => {
  const account = await signIn(app);
  const profile = await profileOf(origin, account, { profile: 'sharex' });
  const sxcu = readSxcu(profile.text);
  const text = { name: 'notes.txt', bytes: Buffer.from('no picture') };
  const refused = await runSxcu(sxcu, text);
  t.match(refused, { url: '', error: /notes\.txt|image/i });
  await fetch(`${origin}/api/account/tokens/${profile.id}`, { method: 'DELETE', headers: account.bearer });
  t.match(await runSxcu(sxcu, text), { url: '', error: /\w+/ });
});
