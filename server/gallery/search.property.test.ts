/** A search against the real database, compared with what a search through the texts themselves finds. */
import fc from 'fast-check';
import t from 'tap';
import { foldCase } from '../lib/fold.ts';
import { signIn } from '../testing/account.ts';
import { buildTestApp } from '../testing/app.ts';
import { asking, insertRows } from '../testing/collections/gallery-rows.ts';
import { searchImages } from './search.ts';

/** Letters of patterns, of quoting, and of scripts whose cases and compositions are more than one letter. */
const letters = [
  '%',
  '_',
  '\\',
  "'",
  '"',
  '*',
  '?',
  '[',
  ']',
  '^',
  '$',
  '.',
  'a',
  'A',
  'ß',
  'ẞ',
  'ss',
  'Σ',
  'ς',
  'σ',
  'İ',
  'i',
  'ı',
  'é',
  'e\u0301',
  'ﬁ',
  '🌇',
  'ش',
  ' ',
  '\t',
  '\u200b',
  '\ufffd',
];
const text = (maxLength: number) =>
  fc.string({
    unit: fc.oneof(fc.constantFrom(...letters), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 })),
    maxLength,
  });

/** What a row can hold: Postgres takes no NUL. */
const storable = (name: string) => name.toWellFormed().replaceAll('\0', '');

t.test('a search of a small gallery or a large one finds the names that contain it, and no others', async (t) => {
  const app = await buildTestApp(t);
  const { id: ownerId } = await signIn(app);
  const names = [...new Set([...letters, ...fc.sample(text(12), 250)].map(storable))].filter((name) => name !== '');
  await insertRows(
    app.db,
    names.map((filename) => ({ ownerId, filename })),
  );
  /** Also parts of names, so that most searches find something. */
  const search = fc.oneof(
    text(3),
    fc
      .tuple(fc.constantFrom(...names), fc.nat(6), fc.nat(4))
      .map(([name, from, length]) => name.slice(from, from + length)),
  );
  await fc.assert(
    fc.asyncProperty(search, async (asked) => {
      fc.pre(asked !== '');
      const folded = foldCase(asked.toWellFormed()).replaceAll('\0', '\ufffd');
      const wanted = names.filter((name) => foldCase(name).includes(folded));
      for (const images of [names.length, 1_000_000]) {
        const found = await searchImages(app.db, { ownerId, images }, asking(asked), { page: 1, size: 1000 });
        t.same(found.images.map(({ filename }) => filename).sort(), wanted.sort(), JSON.stringify(asked));
        t.match(found, { total: wanted.length, isEstimate: false });
      }
    }),
    { numRuns: 50 },
  );
});
