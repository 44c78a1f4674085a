import t from 'tap';
import { fileOf } from '../../testing/files.ts';
import {
  addFiles,
  applyChanges,
  extensionLabel,
  nextFocus,
  type PendingList,
  removeFile,
  restoreFiles,
  setAll,
} from './pending.ts';

function counter(): () => number {
  let id = 0;
  return () => ++id;
}
const names = (list: PendingList) => list.map((item) => item.file.name);

t.test('files chosen one after another add up', async (t) => {
  const next = counter();
  const list = addFiles(addFiles([], [fileOf('a.png')], next), [fileOf('b.png')], next);
  t.same(names(list), ['a.png', 'b.png']);
  t.same(
    list.map((item) => item.id),
    [1, 2],
  );
});

t.test('a file of the same name, size and date is listed once', async (t) => {
  const next = counter();
  const list = addFiles([], [fileOf('a.png'), fileOf('a.png'), fileOf('a.png', 11), fileOf('a.png', 10, 2)], next);
  t.equal(list.length, 3);
  t.equal(addFiles(list, [fileOf('a.png')], next), list, 'the list stays the same object');
});

/** A file that counts how often its name is read. */
class CountedFile extends File {
  static looks = 0;
  override get name(): string {
    CountedFile.looks += 1;
    return super.name;
  }
}

t.test('restoring a thousand files takes linear time', async (t) => {
  const kept = Array.from({ length: 1000 }, (_, index) => ({
    file: new CountedFile([], `${index}.png`),
    url: undefined,
  }));
  const { files, ids } = restoreFiles([], kept, counter());
  t.ok(CountedFile.looks <= 2000, `${CountedFile.looks} reads`);
  t.equal(files.length, 1000);
  t.same(
    ids,
    files.map(({ id }) => id),
  );
});

t.test('restored files that repeat, or are already listed, are listed once', async (t) => {
  const next = counter();
  const list = addFiles([], [fileOf('a.png')], next);
  const kept = ['a.png', 'b.png', 'b.png'].map((name) => ({ file: fileOf(name), url: `/api/uploads/${name}` }));
  const { files, ids } = restoreFiles(list, kept, next);
  t.same(ids, [undefined, 2, undefined]);
  t.match(files, [{ id: 1 }, { id: 2, url: '/api/uploads/b.png', status: 'pending' }]);
});

t.test('a file can be removed unless it is being sent', async (t) => {
  const list = addFiles([], [fileOf('a.png'), fileOf('b.png')], counter());
  t.same(names(removeFile(list, 1)), ['b.png']);
  const sending = applyChanges(list, setAll([1], { status: 'sending' }));
  t.same(names(removeFile(sending, 1)), ['a.png', 'b.png']);
});

t.test('after a removal the next removable file gets the focus, or none after the last', async (t) => {
  const list = addFiles([], [fileOf('a.png'), fileOf('b.png'), fileOf('c.png')], counter());
  t.equal(nextFocus(list, 1), 2);
  t.equal(nextFocus(applyChanges(list, setAll([2], { status: 'sending' })), 1), 3);
  t.equal(nextFocus(list, 3), null);
});

t.test('a change keeps the other files the same objects', async (t) => {
  const list = addFiles([], [fileOf('a.png'), fileOf('b.png')], counter());
  const changed = applyChanges(list, setAll([2], { url: 'u' }));
  t.equal(changed[0], list[0]);
  t.equal(changed[1]?.url, 'u');
});

t.test('a tile without a thumbnail shows the extension', async (t) => {
  t.equal(extensionLabel('IMG_2207.heic'), 'HEIC');
  t.equal(extensionLabel('archive.tar.gz'), 'GZ');
  t.equal(extensionLabel('README'), 'FILE');
  t.equal(extensionLabel('odd.extension-too-long'), 'FILE');
});
