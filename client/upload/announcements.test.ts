import t from 'tap';
import '../testing/english.ts';
import { sentenceFor } from './announcements.ts';
import type { Summary } from './send/summary.ts';

t.test('added files are counted, with the number pending', async (t) => {
  t.same(sentenceFor([{ kind: 'added', count: 3, pending: 12 }]), {
    text: '3 images added, 12 pending',
    urgent: false,
  });
  t.same(sentenceFor([{ kind: 'added', count: 0, pending: 1 }]), {
    text: 'Already in the list, 1 pending',
    urgent: false,
  });
});

t.test('one refusal is named, many are counted', async (t) => {
  const refused = { kind: 'refused', name: 'a.txt', reason: 'No image.' } as const;
  t.same(sentenceFor([refused]), { text: 'a.txt not uploaded. No image.', urgent: true });
  t.same(sentenceFor([refused, refused]), { text: '2 images not uploaded', urgent: true });
});

t.test('a wait is announced with its length', async (t) => {
  t.equal(sentenceFor([{ kind: 'retry-after', seconds: 12 }])?.text, 'Server is busy. Retrying in 12 s');
});

t.test('the end of an upload is announced, also when cancelled', async (t) => {
  const locations = { removed: 0, kept: 0, withheld: 0 };
  const two = { stored: 2, duplicates: 0, refused: [], cancelled: false, sessionOver: false, locations };
  const endOf = (change: Partial<Summary>) => ({ kind: 'ended', summary: { ...two, ...change } }) as const;
  t.equal(sentenceFor([endOf({})])?.text, '2 images uploaded');
  t.equal(
    sentenceFor([endOf({ locations: { removed: 1, kept: 0, withheld: 2 } })])?.text,
    '2 images uploaded. 1 link leaves out location and serial numbers. ' +
      "2 links don't share the original because its location couldn't be removed.",
  );
  t.equal(sentenceFor([endOf({ cancelled: true })])?.text, 'Upload cancelled. Your list is still here.');
  const nothing = endOf({ stored: 0 });
  t.equal(sentenceFor([nothing]), null, 'an upload of nothing is not announced');
  t.equal(sentenceFor([{ kind: 'removed', name: 'a.png', pending: 2 }, nothing])?.text, 'a.png removed, 2 pending');
  t.equal(sentenceFor([]), null);
});
