import { existsSync } from 'node:fs';
import t from 'tap';
import { corpusFile, corpusManifest } from '../testing/corpus.ts';
import { eventually } from '../testing/eventually.ts';
import { drop, takesFiles } from '../testing/files.ts';
import { galleryPath } from '../testing/gallery.ts';
import { naturalWidth } from '../testing/in-page.ts';
import { openSignedIn, openStage } from '../testing/stage.ts';
import { sawToast } from '../testing/toasts.ts';

const kinds = ['camera', 'gps', 'orient', 'format', 'pngsuite'];
const wanted = 40;

/** Forty real pictures of all kinds. */
function fortyPictures(): string[] {
  const good = (corpusManifest() ?? []).filter(
    ({ file, expected }) => expected === 'accept' && existsSync(corpusFile(file)),
  );
  const byKind = kinds.map((kind) => good.filter((entry) => entry.kind === kind).map(({ file }) => file));
  const turns = Array.from({ length: Math.max(...byKind.map((files) => files.length)) }, (_, index) => index);
  return turns.flatMap((index) => byKind.flatMap((files) => files[index] ?? [])).slice(0, wanted);
}

const files = fortyPictures();
const skip = files.length < wanted && 'the corpus is missing: it belongs beside the repository, in ../shared/corpus';

t.test('forty real pictures dropped at once appear in the gallery with their thumbnails', { skip }, async (t) => {
  const stage = await openStage(t, { pageSize: wanted });
  const { page } = await openSignedIn(t, stage, '/dashboard/upload', { timezoneId: 'UTC' });
  await takesFiles(t, page);
  await drop(page, files.map(corpusFile));
  const pending = page.getByRole('list', { name: 'Pending' }).locator('bdi');
  await eventually(t, () => pending.count(), wanted, 'forty are pending');
  page.setDefaultTimeout(120_000);
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await sawToast(t, page, 'Images uploaded successfully 📸');
  await page.goto(galleryPath);
  const cards = page.getByRole('main').getByRole('listitem');
  await eventually(
    t,
    async () => (await cards.locator('bdi').allTextContents()).sort(),
    [...files].sort(),
    'all are in the gallery',
  );
  for (const image of await cards.getByRole('img').all()) {
    await image.scrollIntoViewIfNeeded();
    const name = await image.getAttribute('alt');
    const width = () => naturalWidth(image);
    await eventually(t, async () => (await width()) > 0, true, `${name} is loaded`);
  }
});
