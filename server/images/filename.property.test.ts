import fc from 'fast-check';
import t from 'tap';
import { cleanFilename, unescapeFormName } from './filename.ts';

/** Parts of hostile file names. */
const pieces = [
  '/',
  '\\',
  '..',
  '.',
  '\0',
  '\r\n',
  '\u202e',
  '"',
  '%22',
  '%0D',
  '%2e%2e%2f',
  '\ud83d',
  '\u200b',
  'é',
  'e\u0301',
  ' ',
  'CON',
  '-',
];
const name = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.string({ unit: fc.constantFrom(...pieces, 'a', '.png'), maxLength: 40 }),
  fc.string({ unit: 'grapheme', minLength: 4000, maxLength: 5000 }),
);

t.test('a cleaned name is always visible text without a path', async (t) => {
  fc.assert(
    fc.property(name, (sent) => {
      const kept = cleanFilename(unescapeFormName(sent), 'image.png');
      return (
        kept.length > 0 &&
        kept.length <= 4096 &&
        kept.isWellFormed() &&
        kept === kept.trim() &&
        !/[/\\]/.test(kept) &&
        !/\p{Cc}/u.test(kept) &&
        !/^\.+$/.test(kept)
      );
    }),
    { numRuns: 170, endOnFailure: true },
  );
  t.pass('170 names');
});

t.test('a clean name stays unchanged, and cleaning is idempotent', async (t) => {
  fc.assert(
    fc.property(name, (sent) => {
      const kept = cleanFilename(sent, 'image.png');
      return cleanFilename(kept, 'image.png') === kept;
    }),
    { numRuns: 170, endOnFailure: true },
  );
  const plain = fc.string({ unit: fc.constantFrom(...'abcäöü日本語אבג🌇 -_()[]\'"%&'), minLength: 1, maxLength: 80 });
  fc.assert(
    fc.property(plain, (text) => cleanFilename(`x${text}x.png`, 'image') === `x${text}x.png`),
    { numRuns: 100 },
  );
  t.pass('270 names');
});
