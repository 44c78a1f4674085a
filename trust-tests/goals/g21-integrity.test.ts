import { join } from 'node:path';
import t from 'tap';
import { startGallery } from '../../server/testing/collections/backup.ts';
import { doctorOf, hashes, pairs, plantFifty } from '../../server/testing/postgres/planted-faults.ts';
import { measured } from '../testing/measured.ts';

t.setTimeout(280_000);

t.test('the doctor finds all of 50 planted faults, and its repair deletes no live file', async (t) => {
  const gallery = await startGallery(t);
  const root = join(gallery.dataDir, 'files');
  const { expected, live, damaged } = await plantFifty(gallery);
  const before = await hashes(root, live);
  const { issues } = await doctorOf(t, gallery)({ repair: true });

  const named = new Set(pairs(issues));
  const found = expected.filter((each) => named.has(each)).length;
  const more = issues.length - found;
  const after = await hashes(root, live).catch(() => ({}) as Record<string, string>);
  const gone = live.filter((key) => !(key in after) || (!damaged.includes(key) && after[key] !== before[key])).length;
  t.equal(found, 50, 'found');
  t.equal(more, 0, 'reported without a cause');
  t.equal(gone, 0, 'live files gone or changed');
  const held = expected.length === 50 && found === 50 && more === 0 && gone === 0;
  measured('G21', { seen: `${found} of ${expected.length}, ${gone} live files deleted`, held });
});
