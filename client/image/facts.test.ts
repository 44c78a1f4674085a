import t from 'tap';
import { formatDate, formatDimensions, formatType } from './facts.ts';

t.test('types have their common names', async (t) => {
  t.equal(formatType('image/jpeg'), 'JPEG');
  t.equal(formatType('image/svg+xml; charset=utf-8'), 'SVG');
  t.equal(formatType('image/heic'), 'HEIC');
});

t.test('dimensions have no digit grouping', async (t) => {
  t.equal(formatDimensions(3072, 2048), '3072 × 2048');
});

t.test('the date follows the reader’s locale', async (t) => {
  const iso = '2025-11-18T10:00:00.000Z';
  t.equal(formatDate(iso), new Date(iso).toLocaleDateString());
  t.equal(formatDate('never'), 'never');
});
