import t from 'tap';
import { foldCase, foldText } from '../../lib/fold.ts';
import { signIn } from '../../testing/account.ts';
import { buildTestApp, testConfig } from '../../testing/app.ts';
import { storeFiles } from '../../testing/form.ts';
import { picture } from '../../testing/pictures.ts';
import { beforeFoldedNames } from '../../testing/postgres/before-folded-names.ts';
import { query } from '../../testing/postgres/embedded.ts';

/** All images and albums. An update changes their order in a table. */
const rowsOf = (url: string) =>
  query(url, 'select to_jsonb(images) as row from images union all select to_jsonb(albums) from albums order by 1');

const names = ['Zebra.png', 'Screenshot 3.04.05\u202fPM.png', 'Äpfel.png', 'İstanbul ’26.png', 'قطة.png'];

t.test('names from before are found as people type them, and are in the order of languages', async (t) => {
  const config = await testConfig(t);
  const url = config.databaseUrl ?? '';
  const before = await buildTestApp(t, config);
  const account = await signIn(before);
  const bytes = await picture({ width: 2, height: 2 });
  await storeFiles(
    before,
    account,
    names.map((name) => ({ name, bytes })),
  );
  const headers = account.bearer;
  await before.inject({ method: 'POST', url: '/api/albums/', headers, payload: { name: 'Œuvres\u00a02026' } });
  const folded = await rowsOf(url);
  await before.close();

  await beforeFoldedNames(url);
  t.notSame(await rowsOf(url), folded, 'they were folded by case alone');
  const after = await buildTestApp(t, config);
  t.same(await rowsOf(url), folded);
  const list = async (parameters: Record<string, string>) =>
    (await after.inject({ url: `/api/images/?${new URLSearchParams(parameters)}`, headers }))
      .json<{ images: { filename: string }[] }>()
      .images.map(({ filename }) => filename);
  t.same(await list({ search: '3.04.05 pm' }), [names[1]]);
  t.same(await list({ search: "istanbul '26" }), [names[3]]);
  t.same(await list({ sort: 'name' }), ['Äpfel.png', names[3], names[1], 'Zebra.png', 'قطة.png']);
  t.same(await list({ sort: 'name', language: 'ar' }), ['قطة.png', 'Äpfel.png', names[3], names[1], 'Zebra.png']);
});

t.test('the database folds every letter as the server does', async (t) => {
  const { databaseUrl: url = '' } = await testConfig(t);
  await (await buildTestApp(t, { databaseUrl: url })).close();
  // The letters that both know: of the Basic Multilingual Plane, and mathematical ones.
  const points = [...Array(0xd800).keys(), ...Array.from({ length: 0x400 }, (_, at) => 0x1d400 + at)].slice(32);
  const letters = points.filter((point) => point !== 0xa7f1).map((point) => `a${String.fromCodePoint(point)}b`);
  const text = letters.map(foldCase).join('\n').replaceAll("'", "''");
  const rows = await query(
    url,
    `select fold_text(line) as folded from string_to_table('${text}', chr(10)) with ordinality each (line, at) order by at`,
  );
  t.equal(rows.length, letters.length);
  const different = letters.filter((letter, at) => rows[at]?.folded !== foldText(letter));
  t.same(different, []);
});

t.test('indexes by name are built again after the library that orders them has changed', async (t) => {
  const { databaseUrl: url = '' } = await testConfig(t);
  await (await buildTestApp(t, { databaseUrl: url })).close();
  const state = `select collversion = pg_collation_actual_version(pg_collation.oid) as current, relfilenode::text as file
    from pg_collation, pg_class where collname = 'names_ar' and relname = 'images_owner_name_ar'`;
  const [before] = await query(url, state);
  t.match(before, { current: true });
  await query(url, `update pg_collation set collversion = '1' where collname = 'names_ar'`);
  await (await buildTestApp(t, { databaseUrl: url })).close();
  const [after] = await query(url, state);
  t.match(after, { current: true });
  t.not(after?.file, before?.file);
});
