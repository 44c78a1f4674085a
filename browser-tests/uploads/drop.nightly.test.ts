import type { Page } from 'playwright-core';
import t from 'tap';
import { eventually } from '../testing/eventually.ts';
import { choose, drop, onDisk, pngs, takesFiles } from '../testing/files.ts';
import { callInPage } from '../testing/in-page.ts';
import { openSignedIn, openStage } from '../testing/stage.ts';
import { sawToast } from '../testing/toasts.ts';

const stage = await openStage(t);
const pending = async (page: Page) =>
  (await page.getByRole('list', { name: 'Pending' }).locator('bdi').allInnerTexts()).sort();

t.test('a second drop adds to the first', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await takesFiles(t, page);
  const [, [one = '', two = '']] = await onDisk(t, await pngs('one.png', 'two.png'));
  await drop(page, [one]);
  await eventually(t, () => pending(page), ['one.png'], 'the first');
  await drop(page, [two]);
  await eventually(t, () => pending(page), ['one.png', 'two.png'], 'both');
});

t.test('a dropped folder adds its files, including those in subfolders', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await takesFiles(t, page);
  const [folder] = await onDisk(t, await pngs('album/one.png', 'album/two.png', 'album/below/three.png'));
  await drop(page, [`${folder}/album`]);
  await eventually(t, () => pending(page), ['one.png', 'three.png', 'two.png'], 'all three');
});

t.test('what systems write into folders is left out and counted', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await takesFiles(t, page);
  const names = [
    'one.png',
    '._one.png',
    '.DS_Store',
    'Thumbs.db',
    'below/desktop.ini',
    '__MACOSX/one.png',
    '@eaDir/one.png',
  ];
  const [folder] = await onDisk(t, await pngs(...names.map((name) => `album/${name}`)));
  await drop(page, [`${folder}/album`]);
  await sawToast(t, page, 'Left out 6 hidden and system files');
  t.same(await pending(page), ['one.png']);
});

t.test('hidden files are left out and counted, also loose and chosen ones', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await takesFiles(t, page);
  const [, paths] = await onDisk(t, await pngs('one.png', '._one.png', 'Thumbs.db'));
  await drop(page, paths);
  await sawToast(t, page, 'Left out 2 hidden and system files');
  t.same(await pending(page), ['one.png']);
  await choose(page, await pngs('two.png', '.DS_Store'));
  await sawToast(t, page, 'Left out 1 hidden or system file');
  t.same(await pending(page), ['one.png', 'two.png']);
});

t.test('a drop that cannot be read shows an error', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await takesFiles(t, page);
  const [folder] = await onDisk(t, await pngs('album/one.png'));
  // The script that reads folders cannot be loaded.
  await page.route('**/*.js', (route) => route.abort());
  await drop(page, [`${folder}/album`]);
  await sawToast(t, page, "Couldn't read these files.");
});

/** Simulates a drop by script: its files have no file system entries. */
const dropOnZone = `(name) => {
  const zone = document.querySelector('main button');
  const transfer = new DataTransfer();
  transfer.items.add(new File([new Uint8Array([1, 2, 3])], name, { type: 'image/png' }));
  for (const type of ['dragenter', 'dragover', 'drop'])
    zone.dispatchEvent(new DragEvent(type, { dataTransfer: transfer, bubbles: true, cancelable: true }));
}`;

t.test('a DataTransfer dropped on the zone is accepted', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await takesFiles(t, page);
  await callInPage(page, dropOnZone, 'made.png');
  await eventually(t, () => pending(page), ['made.png'], 'it is pending');
});

t.test('a dropped text is ignored', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await takesFiles(t, page);
  const prevented = await page.evaluate<boolean>(`(() => {
    const transfer = new DataTransfer();
    transfer.setData('text/plain', 'words');
    const event = new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true });
    document.querySelector('main').dispatchEvent(event);
    return event.defaultPrevented;
  })()`);
  t.equal(prevented, false);
  t.same(await pending(page), []);
});

const dropAddress = `(target, uri, html) => {
  const transfer = new DataTransfer();
  transfer.setData('text/uri-list', uri);
  transfer.setData('text/html', html);
  const event = new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true });
  document.querySelector(target).dispatchEvent(event);
  return event.defaultPrevented;
}`;

t.test('a picture dragged from another tab is added, or the page says what to do', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await takesFiles(t, page);
  const drag = (uri: string, html = '') => callInPage(page, dropAddress, 'main', uri, html);
  t.equal(await drag('https://pictures.example/page', '<img src="data:image/png;base64,AQID">'), true);
  await eventually(t, () => pending(page), ['dragged.png'], 'a picture in the address');
  t.equal(await drag(`${stage.origin}/icons/icon-192.png`), true);
  await eventually(t, () => pending(page), ['dragged.png', 'icon-192.png'], 'a picture of this site');
  t.equal(await drag('https://pictures.example/cat.png'), true);
  await sawToast(t, page, "Couldn't add this picture. Save it first, then choose the file.");
});

t.test('a drag whose element was removed does not stop later drops', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await takesFiles(t, page);
  const drag = () => callInPage(page, dropAddress, 'main', 'data:image/png;base64,AQID', '');
  await page.evaluate("document.querySelector('main').dispatchEvent(new DragEvent('dragstart', { bubbles: true }))");
  t.equal(await drag(), true, 'it leads to no other page');
  t.same(await pending(page), [], 'a drag of the page itself');
  await page.mouse.move(50, 50);
  await page.mouse.move(60, 60);
  await drag();
  await eventually(t, () => pending(page), ['dragged.png'], 'a drag from elsewhere');
});

t.test('no page is left for what is dropped on it, and fields accept addresses', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/video');
  await page.getByLabel('Video URL', { exact: true }).waitFor();
  t.equal(await callInPage(page, dropAddress, 'main', 'https://pictures.example/cat.png', ''), true);
  t.equal(await callInPage(page, dropAddress, 'input', 'https://pictures.example/film', ''), false);
});

const paste = `(name, type) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([new Uint8Array([1, 2, 3])], name, { type }));
  const target = document.activeElement ?? document.body;
  target.dispatchEvent(new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true }));
}`;

t.test('pictures are pasted, and unnamed ones get separate names', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await takesFiles(t, page);
  await callInPage(page, paste, 'image.png', 'image/png');
  await callInPage(page, paste, 'image.png', 'image/png');
  await callInPage(page, paste, 'holiday.jpg', 'image/jpeg');
  await eventually(t, () => pending(page), ['holiday.jpg', 'pasted-1.png', 'pasted-2.png'], 'three are pending');
});

t.test('forty pictures dropped at once are all stored', async (t) => {
  const { page, account } = await openSignedIn(t, stage, '/dashboard/upload');
  await takesFiles(t, page);
  const names = Array.from({ length: 40 }, (_, index) => `photo-${index + 1}.png`);
  const [, paths] = await onDisk(t, await pngs(...names));
  await drop(page, paths);
  await eventually(t, async () => (await pending(page)).length, 40, 'forty are pending');
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await sawToast(t, page, 'Images uploaded successfully 📸');
  const answer = await stage.app.inject({ url: '/api/images/', headers: account.bearer });
  t.match(answer.json(), { total: 40, totalPages: 2 });
});
