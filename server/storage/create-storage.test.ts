import { Readable } from 'node:stream';
import t from 'tap';
import { createStorage } from './create-storage.ts';

/** Storage on a full disk, over objects that are read as these streams. */
function onFullDisk(read: () => Readable) {
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC', errno: -28, syscall: 'open' });
  const staging = { create: () => Promise.reject(full) };
  const objects = { read: async () => read() };
  return createStorage({ staging, objects, partials: {}, keepsStaged: false } as unknown as Parameters<
    typeof createStorage
  >[0]);
}

const endless = () => new Readable({ read: () => undefined });

t.test('a source that fails while its staged file cannot be created causes no unhandled error', async (t) => {
  const source = endless();
  await t.rejects(onFullDisk(endless).stage(source), { code: 'NO_SPACE' });
  t.ok(source.readableFlowing, 'the source is still consumed');
  // `once` would also listen for the error.
  const closed = new Promise((resolve) => source.on('close', resolve));
  source.destroy(new Error('the line was cut'));
  await closed;
});

t.test('an object is not read further when there is no space for it', async (t) => {
  const sources: Readable[] = [];
  const storage = onFullDisk(() => {
    const source = endless();
    sources.push(source);
    return source;
  });
  await t.rejects(
    storage.withLocalFile('originals/00/a.png', async () => undefined),
    { code: 'NO_SPACE' },
  );
  t.same(
    sources.map(({ destroyed }) => destroyed),
    [true],
  );
});
