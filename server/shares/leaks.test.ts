/** No answer of a share contains what its visitors must not learn. */
import { unzipSync } from 'fflate';
import t from 'tap';
import { hideImages } from '../admin/commands/images/queries.ts';
import { buildTestApp } from '../testing/app.ts';
import { placed } from '../testing/pictures.ts';
import { accountWith, addressesOn, password, sendPassword, visitorOf } from '../testing/share.ts';

const app = await buildTestApp(t);
const name = 'zanzibar-beach.jpg';
const description = 'Amira at the pier';

/** The seconds of the latitude that `placed` writes, as in its bytes: a fraction of two numbers. */
function seconds(isLittleEndian: boolean): string {
  const bytes = new DataView(new ArrayBuffer(8));
  for (const [index, number] of [2940, 100].entries()) bytes.setUint32(index * 4, number, isLittleEndian);
  return Buffer.from(bytes.buffer).toString('latin1');
}

/** Statuses of all answers that were searched. */
const statuses = new Set<number>();

/** Everything that visitors can get of a share, as one text: statuses, headers, pages, bytes and archives. */
async function everything(path: string, headers = {}): Promise<string> {
  const page = await app.inject({ url: path, headers });
  const found = addressesOn(page);
  const code = /\/i\/([\w-]{22})/.exec(page.body)?.[1];
  const urls = [
    ...[path, `${path}?page=2`, `${path}/oembed`, `${path}/zip`, `${path}/i/x.jpg`, `${path}/i/${code}.jpg`, ...found],
    ...['thumbnail', 'screen'].flatMap((kind) => [`${path}/i/${code}/${kind}.webp`, `${path}/i/${code}/${kind}.avif`]),
  ];
  const texts: string[] = [];
  for (const url of urls) {
    for (const accept of ['*/*', 'text/html']) {
      const answer = await app.inject({ url, headers: { ...headers, accept } });
      texts.push(`${url}\n${JSON.stringify(answer.headers)}\n${answer.rawPayload.toString('latin1')}`);
      if (accept === '*/*') continue;
      for (const more of [
        { 'if-none-match': answer.headers.etag ?? '*' },
        { range: 'bytes=0-2000' },
        { 'accept-language': 'ar' },
      ]) {
        const other = await app.inject({ url, headers: { ...headers, accept, ...more } });
        texts.push(`${JSON.stringify(other.headers)}\n${other.rawPayload.toString('latin1')}`);
        statuses.add(other.statusCode);
      }
      if (answer.headers['content-type'] !== 'application/zip') continue;
      for (const [entry, bytes] of Object.entries(unzipSync(answer.rawPayload))) {
        texts.push(`${entry}\n${Buffer.from(bytes).toString('latin1')}`);
      }
    }
  }
  for (const sent of ['wrong', password]) {
    const answer = await sendPassword(app, path, sent);
    texts.push(`${JSON.stringify(answer.headers)}\n${answer.body}`);
    statuses.add(answer.statusCode);
  }
  return texts.join('\n');
}

t.test('no answer contains a permanent link, the owner, hidden details or a place', async (t) => {
  const { account, images, ids, share, album, call } = await accountWith(app, [
    { name, bytes: await placed(1800, 40) },
  ]);
  await app.inject({
    method: 'PATCH',
    url: `/api/images/${ids[0]}`,
    headers: account.bearer,
    payload: { description },
  });
  const { id } = await album('Inner name of the album');
  const [image] = images;
  const key = new URL(image?.url ?? '').pathname.slice(3, 25);
  const always = {
    'the permanent link': key,
    'an id': ids[0] ?? '',
    'the album': id,
    "the album's name": 'Inner name',
    'the owner': account.id,
    'their email': account.email,
    'their username': account.email.split('@')[0] ?? '',
    'the camera': 'Pocket 1',
    'its serial number': 'SN-4711',
    ...Object.fromEntries(['I', 'M'].map((order) => [`the place (${order})`, seconds(order === 'I')])),
  };
  const ofDetails = { 'the filename': 'zanzibar', 'the description': 'Amira' };
  for (const options of [
    {},
    { details: false },
    { details: false, originals: false },
    { originals: false, download: false },
    { password },
    { password, details: false },
    { album: id, images: undefined, details: false },
    { short_name: 'leaks-nothing', guessable: true, details: false },
  ]) {
    const { path, id: shareId } = await share(options);
    const label = JSON.stringify(options);
    const visitor = 'password' in options ? await visitorOf(app, path) : {};
    const text = await everything(path, visitor);
    const never = { ...always, 'the id of the share': shareId, ...('details' in options ? ofDetails : {}) };
    for (const [what, secret] of Object.entries(never)) {
      // The camera's name is in the bytes of an original, as on the permanent link.
      if (what === 'the camera' && !('originals' in options)) continue;
      t.notOk(text.includes(secret), `${label}: ${what}`);
    }
    if (!('details' in options)) t.ok(text.includes('zanzibar') && text.includes('Amira'), `${label}: has details`);
    if (!('password' in options)) continue;
    const outside = await everything(path);
    for (const secret of [...Object.values(always), ...Object.values(ofDetails)]) t.notOk(outside.includes(secret));
  }
  const { path, id: endedId } = await share();
  const shown = addressesOn(await app.inject(path));
  const secrets = [...Object.values(always), ...Object.values(ofDetails)].filter((secret) => secret !== 'Pocket 1');
  const searchRefusals = async (status: number) => {
    for (const url of shown) {
      for (const accept of ['*/*', 'text/html']) {
        const answer = await app.inject({ url, headers: { accept } });
        const text = `${JSON.stringify(answer.headers)}\n${answer.rawPayload.toString('latin1')}`;
        for (const secret of secrets) t.notOk(text.includes(secret), `${status}: ${url}`);
        statuses.add(answer.statusCode);
      }
    }
  };
  await hideImages(app.db, ids, { reason: 'Amira at the pier', legal: true });
  await searchRefusals(451);
  await call('DELETE', `/${endedId}`);
  await searchRefusals(410);
  t.same(
    [200, 206, 303, 304, 403, 404, 410, 451].filter((status) => !statuses.has(status)),
    [],
    'all kinds of answers were searched',
  );
});
