import { Readable } from 'node:stream';
import t from 'tap';
import { createStorage } from './create-storage.ts';

/** A disk on which no file can be made, before objects that are read as these streams. */
function onFullDisk(read: () => Readable) {
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC', errno: -28, syscall: 'open' });
  const staging = { create: () => Promise.reject(full) };
  const objects = { read: async () => read() };
  return createStorage({ staging, objects, partials: {}, keepsStaged: false } as unknown as Parameters<
    typeof createStorage
  >[0]);
}

const endless = () => new Readable({ read: () => undefined });

t.test('what breaks off while there is no file to put it into harms nobody', async (t) => {
  const source = endless();
  await t.rejects(onFullDisk(endless).stage(source), { code: 'NO_SPACE' });
  t.ok(source.readableFlowing, 'it is read on, so that its sender is told');
  // Whoever waits by `once` would listen to the error too.
  const closed = new Promise((resolve) => source.on('close', resolve));
  source.destroy(new Error('the line was cut'));
  await closed;
});

t.test('an object that there is no room for is not read on', async (t) => {
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
