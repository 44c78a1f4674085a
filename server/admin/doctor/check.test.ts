import { Readable } from 'node:stream';
import t from 'tap';
import { StorageUnavailable } from '../../errors.ts';
import { sha256Of } from '../../lib/sha256.ts';
import { lookAt } from './check.ts';

const bytes = Buffer.from('the bytes of a picture');
const expected = { key: 'originals/00/a.png', size: bytes.length, sha256: sha256Of(bytes) };

/** A bucket that throttles its first calls. */
function throttled(times: number, isHealthy = true) {
  let calls = 0;
  return {
    stat: async () => ({ size: bytes.length, version: '1' }),
    async read() {
      calls += 1;
      if (calls > times) return Readable.from([bytes]);
      const cause = Object.assign(new Error('reduce your rate'), { name: 'SlowDown' });
      throw Object.assign(new StorageUnavailable(), { cause });
    },
    isHealthy: async () => isHealthy,
  };
}

const options = { quick: false, retries: { pauses: [1, 1] } };

t.test('the check retries throttled reads', async (t) => {
  t.same(await lookAt(throttled(2), expected, options), { is: 'good' });
  t.same(await lookAt(throttled(3), expected, options), { is: 'unreadable', detail: 'SlowDown' });
});

t.test('a storage that stays unreachable ends the check', async (t) => {
  await t.rejects(lookAt(throttled(3, false), expected, options), { code: 'STORAGE_UNAVAILABLE' });
});
