import fc from 'fast-check';
import t from 'tap';
import type { Filters } from './operators.ts';
import { readWords } from './search-words.ts';
import { readTimeZone } from './time-zone.ts';

const day = (text: string) => Date.parse(`${text}T00:00:00Z`);
const only = (filters: Filters) => ({ texts: [], filters, notes: [] });
const literal = (text: string) => ({ texts: text === '' ? [] : [text], filters: {}, notes: [] });

t.test('each operator is read as one filter', async (t) => {
  for (const [text, filters] of [
    ['type:png', { contentTypes: ['image/png'] }],
    ['Type:JPG', { contentTypes: ['image/jpeg'] }],
    ['type:svg', { contentTypes: ['image/svg+xml'] }],
    ['type:heif', { contentTypes: ['image/heic'] }],
    ['type:"tiff"', { contentTypes: ['image/tiff'] }],
    ['size:>5mb', { size: { from: 5_000_001 } }],
    ['size:>=5MB', { size: { from: 5_000_000 } }],
    ['size:<1.5kib', { size: { below: 1536 } }],
    ['size:<=0.3kb', { size: { below: 301 } }],
    ['size:<1.0001kb', { size: { below: 1001 } }],
    ['size:>0', { size: { from: 1 } }],
    ['size:>2GiB', { size: { from: 2 ** 31 + 1 } }],
    ['before:2026-01-01', { uploaded: { below: day('2026-01-01') } }],
    ['before:2026', { uploaded: { below: day('2026-01-01') } }],
    ['after:2025', { uploaded: { from: day('2026-01-01') } }],
    ['after:2025-12-31', { uploaded: { from: day('2026-01-01') } }],
    ['on:2024-02', { uploaded: { from: day('2024-02-01'), below: day('2024-03-01') } }],
    ['on:2024-02-29', { uploaded: { from: day('2024-02-29'), below: day('2024-03-01') } }],
    ['on:9999-12', { uploaded: { from: day('9999-12-01'), below: day('9999-12-31') + 86_400_000 } }],
    ['album:"Summer at sea"', { albums: ['Summer at sea'] }],
    ['album:“Été”', { albums: ['Été'] }],
    ['album:Summer', { albums: ['Summer'] }],
    ['orientation:Portrait', { orientations: ['portrait'] }],
    ['orientation:square', { orientations: ['square'] }],
  ] as const) {
    t.same(readWords(text), only(filters as Filters), text);
  }
});

t.test('several operators are combined, and the words between two operators are one text', async (t) => {
  t.same(readWords('  red  kite type:png size:>1kb in the sky size:<1mb type:gif size:>=2kb '), {
    texts: ['red  kite', 'in the sky'],
    filters: { contentTypes: [], size: { from: 2000, below: 1_000_000 } },
    notes: [],
  });
  t.same(readWords('on:2026 before:2026-06 orientation:square kite orientation:portrait kite'), {
    texts: ['kite'],
    filters: { uploaded: { from: day('2026-01-01'), below: day('2026-06-01') }, orientations: ['square', 'portrait'] },
    notes: [],
  });
});

t.test('a text without a separate operator word is one literal text', async (t) => {
  for (const text of [
    '',
    ' ',
    ' two  spaces ',
    'a:b',
    'https://host/x',
    'xtype:png',
    'type:png.png'.slice(1),
    'types:png',
    'constructor:1',
    '__proto__:x',
    'say "hi"',
    '"quoted words"',
    '"a:b"',
    'type :png',
    '(type:png)',
    'size >5mb',
    '\ttab',
  ]) {
    t.same(readWords(text), literal(text), text);
  }
});

t.test('an operator with an invalid value is a text and is reported', async (t) => {
  for (const [text, operator, value] of [
    ['type:zzz', 'type', 'zzz'],
    ['album:"open', 'album', '"open'],
    ['album:""', 'album', '""'],
    ['type:constructor', 'type', 'constructor'],
    ['type:', 'type', ''],
    ['size:>abc', 'size', '>abc'],
    ['size:5mb', 'size', '5mb'],
    ['size:>5tb', 'size', '>5tb'],
    ['size:>-5', 'size', '>-5'],
    ['before:2026-02-30', 'before', '2026-02-30'],
    ['after:26-01', 'after', '26-01'],
    ['on:yesterday', 'on', 'yesterday'],
    ['on:2026-13', 'on', '2026-13'],
    ['Orientation:round', 'orientation', 'round'],
  ] as const) {
    t.same(readWords(text), { texts: [text], filters: {}, notes: [{ operator, value }] }, text);
  }
  t.same(readWords('kite type:zzz type:png'), {
    texts: ['kite type:zzz'],
    filters: { contentTypes: ['image/png'] },
    notes: [{ operator: 'type', value: 'zzz' }],
  });
  t.equal(readWords(Array.from({ length: 100 }, (_, at) => `type:${at}`).join(' ')).notes.length, 5);
});

t.test('an operator in quotes is a text', async (t) => {
  t.same(readWords('"type:png"'), literal('type:png'));
  t.same(readWords('“size:>5mb” type:gif'), {
    texts: ['size:>5mb'],
    filters: { contentTypes: ['image/gif'] },
    notes: [],
  });
  t.same(readWords('a "type:png" b'), literal('a type:png b'));
});

const separator = fc.constantFrom(' ', '  ', '\t', '\n');
const anyWord = fc.oneof(
  fc.constantFrom('type:png', 'size:>1kb', 'type:zzz', 'on:2026', '"type:gif"', '"', 'album:"', 'before:"2026"', 'ü'),
  fc.string({ unit: 'binary', maxLength: 6 }),
);
const anyText = fc
  .array(fc.tuple(anyWord, separator), { maxLength: 8 })
  .map((parts) => parts.map(([word, after]) => word + after).join(''));

t.test('any text can be read, and a text without operators stays unchanged', async () => {
  const plainWord = fc.string({ unit: 'binary', maxLength: 6 }).filter((word) => !/[:"“”„]/u.test(word));
  const plain = fc
    .array(fc.tuple(plainWord, separator), { maxLength: 8 })
    .map((parts) => parts.map(([word, after]) => word + after).join(''));
  fc.assert(
    fc.property(
      plain,
      (text) => JSON.stringify(readWords(text)) === JSON.stringify(text === '' ? literal('') : literal(text)),
    ),
    { numRuns: 700 },
  );
  fc.assert(fc.property(anyText, (text) => readWords(text).texts.every((each) => each !== '')));
});

t.test('words between operators stay complete and in order', async () => {
  const operators = ['type:png', 'size:>1kb', 'on:2026', 'orientation:square'];
  const plainWord = fc.stringMatching(/^[a-zü]{1,6}$/);
  fc.assert(
    fc.property(fc.array(fc.tuple(plainWord, fc.option(fc.constantFrom(...operators))), { minLength: 1 }), (parts) => {
      // Numbered, because repeated texts are merged.
      const words = parts.map(([word], at) => `${word}${at}`);
      const text = parts.flatMap(([, operator], at) => [words[at], ...(operator === null ? [] : [operator])]).join(' ');
      return readWords(text).texts.join(' ') === words.join(' ');
    }),
    { numRuns: 350 },
  );
});

t.test('the order of operators changes nothing', async () => {
  const operator = fc.oneof(
    fc.constantFrom('type:png', 'type:gif', 'orientation:square', 'orientation:portrait'),
    fc.tuple(fc.constantFrom('>', '<', '>=', '<='), fc.nat(5000)).map(([sign, size]) => `size:${sign}${size}`),
    fc
      .tuple(fc.constantFrom('before', 'after', 'on'), fc.integer({ min: 1990, max: 2040 }))
      .map((parts) => parts.join(':')),
  );
  const sorted = ({ filters }: ReturnType<typeof readWords>) =>
    JSON.stringify(filters, (_, value) => {
      if (Array.isArray(value)) return [...value].sort();
      return value && typeof value === 'object' ? Object.fromEntries(Object.entries(value).sort()) : value;
    });
  fc.assert(
    fc.property(fc.array(operator, { minLength: 1, maxLength: 8 }), (operators) => {
      const [one, other] = [readWords(operators.join(' ')), readWords([...operators].reverse().join(' '))];
      return one.texts.length === 0 && sorted(one) === sorted(other);
    }),
  );
});

t.test('more than ten operators of a kind or twenty texts are refused', async (t) => {
  const albums = (count: number) => Array.from({ length: count }, (_, at) => `album:a${at}`).join(' ');
  t.equal(readWords(`${albums(10)} type:png`).filters.albums?.length, 10);
  t.throws(() => readWords(albums(11)), { code: 'SEARCH_TOO_LARGE', statusCode: 400 });
  t.throws(() => readWords('TYPE:png type:png '.repeat(6)), { code: 'SEARCH_TOO_LARGE' }, 'in any case');
  const kinds = ['type:png', 'size:>1', 'before:2030', 'after:2000'];
  const texts = (count: number) => Array.from({ length: count }, (_, at) => `text${at} ${kinds[at % 4]}`).join(' ');
  t.equal(readWords(texts(20)).texts.length, 20);
  t.throws(() => readWords(texts(21)), { code: 'SEARCH_TOO_LARGE', statusCode: 400 });
  t.equal(readWords('type:zzz '.repeat(30)).texts.length, 1, 'an invalid operator is part of a text');
});

t.test('a long hostile text is read as text or refused', async (t) => {
  const open = 'type:"'.repeat(10_000);
  t.match(readWords(open), { texts: [open], filters: {}, notes: [{ operator: 'type' }] });
  const quotes = '"'.repeat(60_000);
  t.same(readWords(quotes), literal(quotes));
  for (const endless of ['size:>1 '.repeat(8000), `"${'type:png '.repeat(6000)}`]) {
    t.throws(() => readWords(endless), { code: 'SEARCH_TOO_LARGE' });
  }
});

t.test('dates are days of the time zone, also where clocks change at midnight', async (t) => {
  for (const [zone, text, from, below] of [
    ['UTC', 'on:2026-11-29', '2026-11-29T00:00Z', '2026-11-30T00:00Z'],
    ['Asia/Tokyo', 'on:2026-11-29', '2026-11-28T15:00Z', '2026-11-29T15:00Z'],
    ['Asia/Kolkata', 'on:2026-11', '2026-10-31T18:30Z', '2026-11-30T18:30Z'],
    ['America/New_York', 'on:2026', '2026-01-01T05:00Z', '2027-01-01T05:00Z'],
    ['Europe/Berlin', 'on:2026-03-29', '2026-03-28T23:00Z', '2026-03-29T22:00Z'],
    ['Africa/Cairo', 'on:2026-04-24', '2026-04-23T22:00Z', '2026-04-24T21:00Z'],
    ['Africa/Cairo', 'on:2026-10-29', '2026-10-28T21:00Z', '2026-10-29T22:00Z'],
    ['America/Havana', 'on:2026-11-01', '2026-11-01T04:00Z', '2026-11-02T05:00Z'],
    ['Pacific/Kiritimati', 'on:2026-01-01', '2025-12-31T10:00Z', '2026-01-01T10:00Z'],
  ] as const) {
    const filters = { uploaded: { from: Date.parse(from), below: Date.parse(below) } };
    t.same(readWords(text, readTimeZone(zone)), only(filters), `${zone} ${text}`);
  }
  const after = { uploaded: { from: Date.parse('2026-11-28T15:00Z') } };
  t.same(readWords('after:2026-11-28', readTimeZone('Asia/Tokyo')), only(after));
  for (const name of ['Mars/Olympus', '', ['UTC'], 'x'.repeat(100)]) t.throws(() => readTimeZone(name), String(name));
});
