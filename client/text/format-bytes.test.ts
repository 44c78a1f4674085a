import t from 'tap';
import { formatBytes } from './format-bytes.ts';

t.test('bytes are formatted in the largest fitting unit', async (t) => {
  t.equal(formatBytes(1, 'en'), '1 byte');
  t.equal(formatBytes(940_000, 'en'), '940 kB');
  t.equal(formatBytes(999_600, 'en'), '1 MB');
  t.equal(formatBytes(5_160_000, 'en'), '5.2 MB');
  t.equal(formatBytes(142_700_000, 'en'), '143 MB');
  t.equal(formatBytes(2_500_000_000, 'en'), '2.5 GB');
});
