import t from 'tap';
import { ApiError } from '../api/api-error.ts';
import '../testing/english.ts';
import { decideInBatches } from './decide-in-batches.ts';
import { reportOf } from './decision-report.ts';

const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `image-${at}`);
const all = async (ids: readonly string[]) => ({ decided: [...ids], unknown: [] });
const imagesOf = (ids: string[], album: string | null = 'album') => ids.map((id) => ({ id, album }));
const busy = new ApiError(503, 'SERVER_BUSY', 'The server is busy.');

t.test('more than 100 images are decided in several calls, in their order', async (t) => {
  const sizes: number[] = [];
  const ids = numbered(250);
  const { decided, failure } = await decideInBatches(ids, (some) => {
    sizes.push(some.length);
    return all(some);
  });
  t.same(sizes, [100, 100, 50]);
  t.same(decided, ids);
  t.equal(failure, undefined);
});

t.test('a failure of a later call stops, and reports what was decided before', async (t) => {
  let calls = 0;
  const ids = numbered(250);
  const done = await decideInBatches(ids, (some) => {
    calls += 1;
    return calls === 2 ? Promise.reject(busy) : all(some);
  });
  t.equal(calls, 2);
  t.equal(done.decided.length, 100);
  t.same(reportOf('admit', imagesOf(ids), done), {
    isError: true,
    text: 'Stopped after 100 of 250 images',
    reason: 'The server is busy.',
  });
  await t.rejects(
    decideInBatches(ids, () => Promise.reject(busy)),
    busy,
    'a failure of the first call is thrown',
  );
});

t.test('a success mentions images that were no longer waiting', async (t) => {
  const [first = '', ...others] = numbered(3);
  const images = imagesOf([first, ...others]);
  t.same(reportOf('admit', images, { decided: [first], unknown: others }), {
    isError: false,
    text: 'Image added to the album',
    reason: '2 images were no longer waiting.',
  });
  t.match(reportOf('refuse', images, { decided: others, unknown: [first] }), {
    text: '2 images deleted',
    reason: '1 image was no longer waiting.',
  });
  t.match(reportOf('admit', images, { decided: [], unknown: [first] }), {
    isError: true,
    reason: '1 image was no longer waiting.',
  });
});

t.test('an admitted image whose album was deleted is not called added to it', async (t) => {
  const [first = '', second = ''] = numbered(2);
  t.same(reportOf('admit', imagesOf([first], null), { decided: [first], unknown: [] }), {
    isError: false,
    text: 'Image admitted',
    reason: '1 image is in no album, because the album was deleted.',
  });
  const both = [...imagesOf([first], null), ...imagesOf([second])];
  t.match(reportOf('admit', both, { decided: [first, second], unknown: [] }), {
    text: '2 images admitted',
    reason: '1 image is in no album, because the album was deleted.',
  });
  t.match(reportOf('refuse', both, { decided: [first], unknown: [] }), { text: 'Image deleted', reason: undefined });
});
