/** Compares searches against the real database with a search in memory. */
import fc from 'fast-check';
import t from 'tap';
import { foldText } from '../lib/fold.ts';
import { signIn } from '../testing/account.ts';
import { buildTestApp } from '../testing/app.ts';
import { asking, insertRows } from '../testing/collections/gallery-rows.ts';
import { searchImages } from './search.ts';

/** Characters of patterns and quoting, and letters with unusual cases and compositions. */
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

/** Names contain neither NUL, which Postgres rejects, nor the separator of descriptions. */
const storable = (name: string) => name.toWellFormed().replaceAll(/[\0\n]/g, '');

t.test('a search of a small or large gallery finds exactly the names that contain the text', async (t) => {
  const app = await buildTestApp(t);
  const { id: ownerId } = await signIn(app);
  const names = [...new Set([...letters, ...fc.sample(text(12), 250)].map(storable))].filter((name) => name !== '');
  await insertRows(
    app.db,
    names.map((filename) => ({ ownerId, filename })),
  );
  /** Half of the searches are parts of names, so that they find something. */
  const search = fc.oneof(
    text(3),
    fc
      .tuple(fc.constantFrom(...names), fc.nat(6), fc.nat(4))
      .map(([name, from, length]) => name.slice(from, from + length)),
  );
  await fc.assert(
    fc.asyncProperty(search, async (asked) => {
      fc.pre(asked !== '');
      // What no name can contain is searched as a replacement character: NUL, a separator, and invisible characters alone.
      const folded = foldText(asked.toWellFormed()).replaceAll(/[\0\n]/g, '\ufffd') || '\ufffd';
      const wanted = names.filter((name) => foldText(name).includes(folded));
      for (const images of [names.length, 1_000_000]) {
        const found = await searchImages(app.db, { ownerId, images }, asking(asked), { page: 1, size: 1000 });
        t.same(found.images.map(({ filename }) => filename).sort(), wanted.sort(), JSON.stringify(asked));
        t.match(found, { total: wanted.length, isEstimate: false });
      }
    }),
    { numRuns: 50 },
  );
});
