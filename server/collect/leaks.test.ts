/** No answer to a guest contains what guests must not learn. */
import type { InjectOptions } from 'fastify';
import t from 'tap';
import { buildTestApp } from '../testing/app.ts';
import { storeFiles } from '../testing/form.ts';
import {
  addFiles,
  collector,
  enter,
  guestOf,
  openUploadOf,
  pictures,
  sendPartOf,
} from '../testing/guests/collector.ts';
import { picture, placed } from '../testing/pictures.ts';
import { tusHeaders } from '../testing/tus.ts';

const app = await buildTestApp(t);
const password = 'rather-a-good-one';

/** The seconds of the latitude that `placed` writes, as in its bytes. */
const seconds = Buffer.from([...Buffer.from(Uint32Array.of(2940, 100).buffer)]).toString('latin1');

/** Everything that a guest can get, as one text: statuses, headers, lists, uploads and bytes. */
async function everything(path: string, headers: { cookie?: string }): Promise<string> {
  const texts: string[] = [];
  const note = async (options: InjectOptions) => {
    const answer = await app.inject(options);
    texts.push(`${JSON.stringify(answer.headers)}\n${answer.rawPayload.toString('latin1')}`);
    return answer;
  };
  const [file] = await pictures(['again.png']);
  const sent = await addFiles(app, path, headers, file ? [file] : [], { keys: ['leak'] });
  texts.push(JSON.stringify(sent.headers), sent.body);
  const bytes = await picture({ width: 81 });
  const opened = await openUploadOf(app, path, headers, bytes.length, { key: 'tus' });
  const at = String(opened.headers.location ?? `${path}/uploads/x`);
  texts.push(JSON.stringify(opened.headers), (await sendPartOf(app, at, headers, 0, bytes)).body);
  for (const method of ['HEAD', 'GET'] as const)
    await note({ method, url: at, headers: { ...headers, ...tusHeaders } });
  for (const url of ['link', 'images', 'album', 'images?page=2', 'album?page=2']) {
    const answer = await note({ url: `${path}/${url}`, headers });
    for (const { thumbnail_url, screen_url } of answer.json().images ?? []) {
      for (const address of [thumbnail_url, screen_url]) {
        const { pathname } = new URL(address);
        for (const name of ['thumbnail.webp', 'screen.webp', 'screen.avif']) {
          await note({ url: pathname.replace(/[^/]+$/, name), headers });
        }
        await note({ url: pathname.replace(/\/[^/]+$/, '.jpg'), headers });
      }
    }
  }
  await note({ url: `${path}/uploaded`, headers: { ...headers, 'upload-keys': 'leak,tus,other' } });
  await note({ method: 'DELETE', url: `${path}/images/x`, headers });
  texts.push((await enter(app, path, { password: 'wrong', name: 'x' }, headers)).body);
  return texts.join('\n');
}

t.test('no answer has a permanent link, an id, the owner, the name of a file of others, or a place', async (t) => {
  const { account, album, link, ask } = await collector(app);
  const [image] = await storeFiles(app, account, [{ name: 'zanzibar-beach.jpg', bytes: await placed(1800, 40) }], {
    query: `?album=${album}`,
  });
  await ask('PATCH', `/api/images/${image?.id}`, { description: 'Amira at the pier' });
  const secrets = async () => {
    const all = (await ask('GET', '/api/images/')).json().images as { id: string; url: string }[];
    return {
      ...Object.fromEntries(all.map(({ id, url }) => [`the link ${url}`, new URL(url).pathname.slice(3, 25) || id])),
      ...Object.fromEntries(all.map(({ id }) => [`the id ${id}`, id])),
      ...{ 'the filename': 'zanzibar', 'the description': 'Amira', 'the renamed file': 'renamed-by-owner' },
      ...{ 'the place': seconds, 'the camera': 'Pocket 1', 'its serial number': 'SN-4711' },
      ...{ 'the album': album, "the album's name": 'Inner name', 'the name of another guest': 'Badr' },
      ...{ 'the owner': account.id, 'their email': account.email, 'their username': account.email.split('@')[0] ?? '' },
    };
  };
  for (const options of [{ open: true }, { open: true, look_first: true }, {}, { open: true, password }]) {
    const { path, id } = await link({ asks_name: true, ...options });
    const entry = 'password' in options ? { password } : {};
    const other = await guestOf(app, path, { ...entry, name: 'Badr' });
    await addFiles(app, path, other, [{ name: 'zanzibar-too.jpg', bytes: await placed(300, 40) }]);
    const guest = await guestOf(app, path, { ...entry, name: 'Carla' });
    await addFiles(app, path, guest, await pictures(['mine.png']), { keys: ['leak-0'] });
    const mine = ((await ask('GET', '/api/images/')).json().images as { id: string; filename: string }[]).filter(
      ({ filename }) => filename === 'mine.png',
    );
    for (const one of mine) await ask('PATCH', `/api/images/${one.id}`, { filename: 'renamed-by-owner.png' });
    const seen = await everything(path, guest);
    const outside = await everything(path, {});
    t.ok(seen.includes('mine.png'), 'a guest sees the own names');
    for (const [what, secret] of Object.entries({ ...(await secrets()), 'the id of the link': id })) {
      t.notOk(seen.includes(secret), `${JSON.stringify(options)}, guest: ${what}`);
      t.notOk(outside.includes(secret), `${JSON.stringify(options)}, no guest: ${what}`);
    }
  }
});
