/** Compares searches with operators against the real database with a search in memory. */
import fc from 'fast-check';
import t from 'tap';
import { foldText } from '../lib/fold.ts';
import { signIn } from '../testing/account.ts';
import { buildTestApp } from '../testing/app.ts';
import { insertRows, type SomeImage } from '../testing/collections/gallery-rows.ts';
import type { Order } from './order.ts';
import { pageOfImages } from './pages.ts';
import { searchImages } from './search.ts';
import { readWords } from './search-words.ts';

const day = 86_400_000;
const newYear = Date.UTC(2026, 0, 1);

const names = [
  'IMG_2.png',
  'IMG_10.png',
  'img_002.PNG',
  'Kite.jpg',
  'type:png',
  'size:>abc kite',
  'ß 7',
  'a\u{1f307}b',
  'é',
];
const image = fc.record({
  filename: fc.oneof(fc.constantFrom(...names), fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 8 })),
  description: fc.constantFrom('', '', 'A red kite', 'over the sea 10'),
  contentType: fc.constantFrom('image/png', 'image/jpeg', 'image/svg+xml', 'image/heic'),
  size: fc.constantFrom(0, 999, 1000, 1001, 1024, 5_000_000, 5_000_001, 2 ** 40),
  width: fc.constantFrom(1, 2, 3),
  height: fc.constantFrom(1, 2, 3),
  uploadedAt: fc.integer({ min: -40, max: 40 }).map((at) => new Date(newYear + at * (day / 2) - (at % 3))),
});
type Made = typeof image extends fc.Arbitrary<infer T> ? T : never;

/** Operators and their meaning. */
const operators: [string, (image: Made) => boolean][] = [
  ['type:png', ({ contentType }) => contentType === 'image/png'],
  ['type:jpg', ({ contentType }) => contentType === 'image/jpeg'],
  ['TYPE:svg', ({ contentType }) => contentType === 'image/svg+xml'],
  ['size:>1kb', ({ size }) => size > 1000],
  ['size:>=1kb', ({ size }) => size >= 1000],
  ['size:<1kib', ({ size }) => size < 1024],
  ['size:<=5mb', ({ size }) => size <= 5e6],
  ['before:2026', ({ uploadedAt }) => uploadedAt.getTime() < newYear],
  ['before:2026-01-03', ({ uploadedAt }) => uploadedAt.getTime() < newYear + 2 * day],
  ['after:2025-12-30', ({ uploadedAt }) => uploadedAt.getTime() >= newYear - day],
  ['on:2026-01-01', ({ uploadedAt }) => uploadedAt.toISOString().startsWith('2026-01-01')],
  ['on:2025-12', ({ uploadedAt }) => uploadedAt.toISOString().startsWith('2025-12')],
  ['orientation:portrait', ({ width, height }) => height > width],
  ['orientation:landscape', ({ width, height }) => width > height],
  ['orientation:square', ({ width, height }) => width === height],
];
/** A literal text, found in the name or in the description. */
const word = fc
  .constantFrom('kite', 'IMG', '.png', 'type:zzz', 'size:>abc kite', 'e', 'sea 10', 'q"', '\u{1f307}', 'nothing')
  .map((text): [string, (image: Made) => boolean] => [
    text,
    ({ filename, description }) => [filename, description].some((each) => foldText(each).includes(foldText(text))),
  ]);
/** Never two adjacent literal texts, which would be one text. */
const asked = fc
  .tuple(fc.option(word), fc.array(fc.constantFrom(...operators), { maxLength: 3 }), fc.option(word))
  .map(([first, between, last]) => [
    ...(first ? [first] : []),
    ...between,
    ...(last && between.length > 0 ? [last] : []),
  ]);
const anyOrder = fc.record({
  by: fc.constantFrom('date', 'name', 'size'),
  descending: fc.boolean(),
}) as fc.Arbitrary<Order>;

const nameKey = ({ filename }: { filename: string }) =>
  [...foldText(filename).replace(/[0-9]+/g, (digits) => digits.replace(/^0+/, '').padStart(10, '0'))]
    .slice(0, 200)
    .join('');
const { compare } = new Intl.Collator('en', { numeric: true });
const compareBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));
/** Texts that a language does not tell apart are compared by their bytes. */
const compareNames = (one: string, other: string) => compare(one, other) || compareBytes(one, other);

const comparers: Record<Order['by'], (one: Made, other: Made) => number> = {
  date: (one, other) => one.uploadedAt.getTime() - other.uploadedAt.getTime(),
  name: (one, other) => compareNames(nameKey(one), nameKey(other)),
  size: (one, other) => one.size - other.size,
};

t.test('searches return the same images, order and pages as a search in memory', async (t) => {
  const app = await buildTestApp(t);
  const [{ id: ownerId }, { id: neighbour }] = [await signIn(app), await signIn(app)];
  const made = fc.sample(image, { numRuns: 200, seed: 7 });
  const ids = await insertRows(
    app.db,
    made.map((each): SomeImage => ({ ...each, ownerId })),
  );
  await insertRows(
    app.db,
    made.map((each): SomeImage => ({ ...each, ownerId: neighbour })),
  );
  const all = made.map((each, index) => ({ ...each, id: ids[index] ?? '' }));

  const check = async (terms: [string, (image: Made) => boolean][], order: Order, size: number, page: number) => {
    const text = terms.map(([each]) => each).join(' ');
    const way = order.descending ? -1 : 1;
    const wanted = all
      .filter((each) => terms.every(([, matches]) => matches(each)))
      .sort((one, other) => way * (comparers[order.by](one, other) || compareBytes(one.id, other.id)))
      .map(({ id }) => id);
    const onPage = wanted.slice((page - 1) * size, page * size);
    const { texts, filters } = readWords(text);
    const label = `${JSON.stringify(text)} ${JSON.stringify(order)} ${page} of ${size}`;
    if (terms.length === 0) {
      for (const near of [-1, 500]) {
        const found = await pageOfImages(app.db, ownerId, { page, size }, { order, near });
        t.same([found.images.map(({ id }) => id), found.total], [onPage, all.length], label);
      }
      return;
    }
    // As a small gallery, and with the sample and index of a large one.
    for (const images of [all.length, 1_000_000]) {
      const found = await searchImages(app.db, { ownerId, images }, { texts, filters, order }, { page, size });
      t.same([found.images.map(({ id }) => id), found.total, found.isEstimate], [onPage, wanted.length, false], label);
    }
  };
  await fc.assert(
    fc.asyncProperty(asked, anyOrder, fc.constantFrom(7, 24, 500), fc.integer({ min: 1, max: 30 }), check),
    { numRuns: 130 },
  );
});
