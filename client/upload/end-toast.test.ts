import t from 'tap';
import '../testing/english.ts';
import { endToast } from './end-toast.ts';
import type { Summary } from './send/summary.ts';

const refusedFor = (...reasons: string[]) => reasons.map((reason, id) => ({ id, name: `${id}.png`, reason }));

const ending = (some: Partial<Summary>): Summary => ({
  stored: 0,
  duplicates: 0,
  refused: [],
  cancelled: false,
  sessionOver: false,
  locations: { removed: 0, kept: 0, withheld: 0 },
  ...some,
});

t.test('an upload that stored every file succeeds', async (t) => {
  t.match(endToast(ending({ stored: 2 })), { isError: false, text: 'Images uploaded successfully 📸' });
});

t.test('a partly refused upload shows the counts, a wholly refused one the reason', async (t) => {
  const [text, reason] = ['Upload failed. Please try again.', 'No image.'];
  t.same(endToast(ending({ stored: 2, refused: refusedFor(reason) })), {
    isError: true,
    text,
    reason: '2 of 3 images uploaded, 1 failed. See why under it.',
  });
  t.same(endToast(ending({ refused: refusedFor(reason) })), { isError: true, text, reason });
});

t.test('an upload without results, a cancelled one and one without a session show no toast', async (t) => {
  t.equal(endToast(ending({})), null);
  t.equal(endToast(ending({ stored: 1, cancelled: true })), null);
  t.equal(endToast(ending({ refused: refusedFor('a', 'b', 'c'), sessionOver: true })), null);
});
