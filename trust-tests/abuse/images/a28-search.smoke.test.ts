import { picture } from '../../../server/testing/pictures.ts';
import { abuse } from '../../testing/abuse.ts';
import { newAccount, store } from '../../testing/account.ts';
import { call, refused } from '../../testing/call.ts';
import { serve } from '../../testing/machine/loopback.ts';
import { corpusList } from '../../testing/pictures/corpus.ts';

const statements = [
  "' or '1'='1",
  "' or 1=1 --",
  "'; drop table images; --",
  "'; select pg_sleep(30); --",
  "' union select password_hash from users --",
  '" or ""="',
  "\\' or 1=1 --",
  "a%' or '1'='1",
  '1) or (1=1',
  '$$; drop table images; $$',
  ":'x'",
  '$1',
  '?',
  "E'\\x41'",
  'a/**/or/**/1=1',
];
const patterns = [
  '%',
  '_',
  '%%%',
  '\\',
  '\\%',
  '\\\\',
  'a%b',
  'a_b',
  '[a-z]*',
  '.*',
  '^',
  '(?i)a',
  '%'.repeat(4000),
  '_'.repeat(5000),
];
const tooLong = ['%'.repeat(6000), 'x'.repeat(20_000)];
const odd = ['\0', 'a\0b', '\ud800', '\u202e', '\ufffd', ' ', '\t', '😀', 'x'.repeat(10_000)];

const names = ['plain.png', '100%.png', 'a_b.png', "o'hara.png", 'two words.png'];

abuse('A28', 'a search matches its characters literally, whatever they mean in SQL', async (t) => {
  const { origin, sql } = await serve(t);
  const account = await newAccount(origin);
  const bytes = await picture();
  await store(
    origin,
    account,
    names.map((name) => ({ name, bytes })),
  );
  await store(origin, await newAccount(origin), [{ name: 'of somebody else.png', bytes }]);
  const ask = (search: string) =>
    call(origin, `/api/images/?search=${encodeURIComponent(search.toWellFormed())}`, { headers: account.bearer });
  const found = async (search: string) => {
    const answer = await ask(search);
    t.equal(answer.status, 200, search.slice(0, 30));
    return (JSON.parse(answer.body).images as { filename: string }[]).map(({ filename }) => filename).sort();
  };
  for (const search of [...statements, ...patterns, ...odd, ...corpusList('xss_strings')])
    t.same(await found(search), names.filter((name) => name.includes(search)).sort(), search.slice(0, 30));
  for (const search of tooLong) refused(t, await ask(search), 431, 'longer than headers may be');
  t.same(await found('%'), ['100%.png']);
  t.same(await found('_'), ['a_b.png']);
  t.same(await found("'"), ["o'hara.png"]);
  t.same(await found(' '), ['two words.png'], 'a space is matched literally');
  t.equal((await found('')).length, names.length, 'an empty search lists only the account’s own images');
  t.equal((await sql('select id from images')).length, names.length + 1, 'the table is intact');
});
