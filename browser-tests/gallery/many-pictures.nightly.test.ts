/** A thousand pending pictures. */
import t from 'tap';
import { picture } from '../../server/testing/pictures.ts';
import { eventually } from '../testing/eventually.ts';
import { takesFiles } from '../testing/files.ts';
import { openSignedIn, openStage } from '../testing/stage.ts';

t.setTimeout(300_000);

const stage = await openStage(t);
const COUNT = 1000;

/** Records decoding and drawing on the main thread. */
const noteDrawing = `{
  window.__drawn = [];
  const note = (owner, name) => {
    const own = owner[name];
    owner[name] = function (...given) {
      window.__drawn.push(name);
      return own.apply(this, given);
    };
  };
  note(window, 'createImageBitmap');
  note(HTMLCanvasElement.prototype, 'getContext');
  note(OffscreenCanvas.prototype, 'getContext');
  note(HTMLImageElement.prototype, 'decode');
  note(FileReader.prototype, 'readAsDataURL');
  note(FileReader.prototype, 'readAsArrayBuffer');
}`;

t.test('a worker makes small previews of a thousand pictures, only near the window', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload', {
    prepare: (context) => context.addInitScript(noteDrawing),
  });
  await takesFiles(t, page);
  const bytes = (await picture({ format: 'jpeg', width: 1200, height: 900 })).toString('base64');
  await page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob('${bytes}'), (letter) => letter.charCodeAt(0));
    const data = new DataTransfer();
    for (let n = 1; n <= ${COUNT}; n += 1) data.items.add(new File([bytes], 'picture-' + n + '.jpg', { type: 'image/jpeg' }));
    document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
  })()`);
  const widths = () =>
    page.evaluate<number[]>(
      "[...document.querySelectorAll('main li img')].filter(({ complete }) => complete).map((img) => img.naturalWidth)",
    );
  await eventually(t, async () => (await widths()).length >= 12, true, 'the previews of the first screen appear');
  t.same([...new Set(await widths())], [360], 'they have the tile’s size, not the picture’s');
  t.ok((await page.locator('main li').count()) < 150, 'few of a thousand tiles are rendered');
  const workers = page.workers().map((worker) => worker.url());
  t.equal(workers.filter((url) => /thumbnail-worker/.test(url)).length, 1, 'a worker makes them');
  t.same(await page.evaluate('window.__drawn'), [], 'the main thread decodes and draws nothing');
});
