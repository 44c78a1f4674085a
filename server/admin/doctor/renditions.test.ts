/** Background renditions: AVIF, and screen sizes of large photographs. */
import { access, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { ImageRow } from '../../../drizzle/schema.ts';
import { readConfig } from '../../config/read-config.ts';
import { originalKey, screenAvifKey, screenKey, thumbnailAvifKey, thumbnailKey } from '../../images/keys.ts';
import { renditionPath } from '../../images/links/link-paths.ts';
import { renditions } from '../../images/rendition-names.ts';
import { sha256Of } from '../../lib/sha256.ts';
import { sharedDecoder } from '../../testing/app.ts';
import { emptied, startGallery } from '../../testing/collections/backup.ts';
import { storeFiles } from '../../testing/form.ts';
import { grainyPhotograph } from '../../testing/pictures.ts';
import { doctorOf, flip, pairs } from '../../testing/postgres/planted-faults.ts';
import { createRebuilder } from '../commands/rebuilder.ts';
import { allImages } from './queries.ts';

const started = await startGallery(t);
/** Wide enough for a screen size, but with few pixels. */
const photograph = await grainyPhotograph(1640, 240);
const rebuilder = createRebuilder(
  started.app.db,
  started.app.storage,
  readConfig({}),
  started.app.database.processRegistry.number,
  () => sharedDecoder,
);

/** A gallery of one photograph with all its renditions. */
async function prepare(t: Test) {
  const gallery = await emptied(started);
  await storeFiles(gallery.app, gallery.account, [{ name: 'large.jpg', bytes: photograph }]);
  const rowNow = async (): Promise<ImageRow> => {
    for await (const row of allImages(gallery.app.db)) return row;
    throw new Error('not stored');
  };
  const row = await rebuilder.rebuild(await rowNow(), { screen: true, avif: true });
  const pathOf = (key: string) => join(gallery.dataDir, 'files', key);
  const read = async (key: string) => sha256Of(await readFile(pathOf(key)));
  return { gallery, row, rowNow, pathOf, read, examineIt: doctorOf(t, gallery) };
}

t.test('a missing or changed AVIF rendition is found and rebuilt', async (t) => {
  const { row, rowNow, pathOf, read, examineIt } = await prepare(t);
  t.ok(row.thumbnailAvifSha256);
  t.ok(row.screenAvifSha256);
  t.same((await examineIt()).issues, []);
  await rm(pathOf(thumbnailAvifKey(row)));
  await flip(pathOf(screenAvifKey(row)));
  const expected = [`rendition damaged ${screenAvifKey(row)}`, `rendition missing ${thumbnailAvifKey(row)}`];
  t.same(pairs((await examineIt()).issues), expected);
  t.same(pairs((await examineIt({ quick: true })).issues), expected.slice(1));
  const { issues } = await examineIt({ repair: true });
  t.same(pairs(issues), expected);
  t.match(issues, [{ repaired: true }, { repaired: true }]);
  t.same((await examineIt()).issues, []);
  const now = await rowNow();
  t.equal(await read(thumbnailAvifKey(row)), now.thumbnailAvifSha256);
  t.equal(await read(screenAvifKey(row)), now.screenAvifSha256);
});

t.test('immediate and background renditions are rebuilt in one run', async (t) => {
  const { row, pathOf, examineIt } = await prepare(t);
  const keys = [thumbnailKey(row), screenKey(row), thumbnailAvifKey(row)];
  for (const key of keys) await flip(pathOf(key));
  const { issues } = await examineIt({ repair: true });
  t.same(pairs(issues), keys.map((key) => `rendition damaged ${key}`).sort());
  t.same(
    issues.filter(({ repaired }) => !repaired),
    [],
  );
  t.same((await examineIt()).issues, []);
});

t.test('a missing background screen size is not an issue, since it is rebuilt on request', async (t) => {
  const { row, pathOf, examineIt } = await prepare(t);
  t.notOk(row.hasScreen);
  await rm(pathOf(screenKey(row)));
  t.same((await examineIt()).issues, []);
});

t.test('an AVIF rendition that could not be rebuilt is not reported as repaired', async (t) => {
  const { gallery, row, pathOf, examineIt } = await prepare(t);
  await rm(pathOf(thumbnailAvifKey(row)));
  // Like a storage that accepts the bytes and loses them.
  const write = gallery.app.storage.write;
  t.teardown(() => Object.assign(gallery.app.storage, { write }));
  Object.assign(gallery.app.storage, { write: async () => {} });
  const { issues, healthy } = await examineIt({ repair: true });
  t.match(issues, [{ kind: 'rendition missing', repaired: false, detail: /^not rebuilt/ }]);
  t.notOk(healthy);
  await t.rejects(access(pathOf(thumbnailAvifKey(row))));
});

t.test('a changed AVIF rendition is rebuilt instead of served', async (t) => {
  const { gallery, row, pathOf, read } = await prepare(t);
  for (const key of [thumbnailAvifKey(row), screenAvifKey(row)]) await flip(pathOf(key));
  for (const [name, key] of [
    ['thumbnail', thumbnailAvifKey(row)],
    ['screen', screenAvifKey(row)],
  ] as const) {
    const answer = await gallery.app.inject({ url: renditionPath(row, `${name}Avif`) });
    t.match(answer, { statusCode: 200, headers: { 'content-type': 'image/avif' } });
    t.equal(sha256Of(answer.rawPayload), await read(key), 'the stored bytes are the sent ones');
    t.equal(sha256Of(answer.rawPayload), row[renditions[`${name}Avif`].checksum]);
  }
  await rm(pathOf(originalKey(row)));
  await flip(pathOf(thumbnailAvifKey(row)));
  const answer = await gallery.app.inject({ url: renditionPath(row, 'thumbnailAvif') });
  t.not(answer.statusCode, 200, 'wrong bytes are not served if it cannot be rebuilt');
});
