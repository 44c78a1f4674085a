import t from 'tap';
import type { Storage } from '../storage/storage.ts';
import type { Instrument } from './spans.ts';
import { watchStorage } from './watch-storage.ts';

t.test('reads of an open file are instrumented, also through leased buffers', async (t) => {
  const steps: unknown[] = [];
  const instrument: Instrument = async (what, work) => {
    steps.push(what);
    return work();
  };
  const leased = { bytes: Buffer.from('bytes'), release: () => undefined };
  const file = {
    size: 4,
    version: '1',
    read: async (into: Uint8Array) => into.length,
    lease: async (at: number) => (at === 7 ? Promise.reject(new Error('broken off')) : leased),
    close: async () => undefined,
  };
  const storage = { open: async () => file, partials: {} } as unknown as Storage;
  const opened = await watchStorage(storage, { instrument, onWritten: () => undefined }).open('originals/a');
  t.equal(await opened?.read(Buffer.alloc(3), 0), 3);
  t.equal(await opened?.lease?.(0), leased);
  await t.rejects(async () => void (await opened?.lease?.(7)), /broken off/);
  const of = (operation: string) => ({ kind: 'storage', operation, collection: 'originals' });
  t.same(steps, [of('open'), of('read-open'), of('read-open'), of('read-open')]);
});
