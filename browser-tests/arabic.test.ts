import type { Locator, Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { signIn } from '../server/testing/account.ts';
import { findsNothing } from './testing/axe.ts';
import { eventually } from './testing/eventually.ts';
import { choose, pngs } from './testing/files.ts';
import { cardOf, openGallery, pictureOf, shows } from './testing/gallery.ts';
import { openScreens, screens } from './testing/screens.ts';
import { openPage, sizes, stored } from './testing/stage.ts';
import { sawToast, toasts } from './testing/toasts.ts';

const stage = await openScreens(t);
const arabic = { locale: 'ar-EG' };
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true });

/** Names of things, and words to be typed, that are written alike in every language. */
const names =
  /Encryption|ENCRYPTION|English|YouTube|Vimeo|Dailymotion|Twitch|https?:\/\/\S*|JPE?G|PNG|WebP|GIF|AVIF|TIFF|SVG|HEIC|Markdown|HTML|BBCode|lightMyRequest|(?:type|size):\S*|\b(?:jpeg|png|webp|gif|avif|tiff|svg|heic|kb|mb|gb|landscape|square)\b|[\w.-]+\.(?:png|jpg)/g;

/** Latin words that are shown or spoken, save for what the user has named and what is code. */
const strayWords = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const said = [document.title];
    for (const element of document.querySelectorAll('body *:not(script, style, bdi, bdi *, code, svg *)')) {
      if (!element.checkVisibility()) continue;
      for (const name of ['aria-label', 'title', 'placeholder', 'aria-valuetext']) said.push(element.getAttribute(name) ?? '');
      for (const node of element.childNodes) if (node.nodeType === 3) said.push(node.data);
    }
    return said.flatMap((text) => text.replace(${names}, '').match(/[A-Za-z]{2,}/g) ?? []);
  })()`);

async function isArabic(t: Test, page: Page, state: string): Promise<void> {
  t.equal(await page.evaluate('getComputedStyle(document.body).direction'), 'rtl', `${state}: from right to left`);
  t.same(await strayWords(page), [], `${state}: nothing is left in another language`);
  await findsNothing(t, page, state);
}

for (const size of Object.keys(sizes) as (keyof typeof sizes)[]) {
  for (const [name, visit] of screens) {
    t.test(`in Arabic axe-core finds nothing and nothing scrolls sideways on ${name} (${size})`, (t) =>
      visit(t, stage, { ...arabic, size }, isArabic),
    );
  }

  t.test(`login, upload, search, deletion, video and logout go through in Arabic (${size})`, async (t) => {
    const account = await signIn(stage.app);
    const page = await openPage(t, stage, { ...arabic, size });
    await page.route('https://media.example/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: 'player' }),
    );
    await page.goto('/login');
    await page.getByLabel('البريد الإلكتروني', { exact: true }).fill(account.email);
    await page.getByLabel('كلمة المرور', { exact: true }).fill(account.password);
    await button(page, 'تسجيل الدخول').click();
    await page.waitForURL('**/dashboard/upload');
    await sawToast(t, page, 'تم تسجيل الدخول بنجاح 🎉');

    await button(page, 'رفع').click();
    await sawToast(t, page, 'يُرجى اختيار صورة واحدة على الأقل.');
    await choose(page, await pngs('قطة.png', 'dog.png'));
    await page.getByText('صورتان جاهزتان للرفع').waitFor();
    await button(page, 'رفع').click();
    await sawToast(t, page, 'تم رفع الصور بنجاح 📸');

    await page.getByRole('link', { name: 'عرض الصور', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: 'معرض الصور' }).waitFor();
    const today = new Date().toLocaleDateString('ar-EG', { timeZone: 'Europe/Berlin' });
    await page.getByLabel('البحث في الصور', { exact: true }).fill('قط');
    await shows(t, page, 'قطة.png');
    await cardOf(page, 'قطة.png').getByText(`تاريخ الرفع: ${today}`).waitFor();
    await button(cardOf(page, 'قطة.png'), 'حذف').click();
    await page.getByText('أنت على وشك حذف هذه الصورة نهائيًا.').waitFor();
    await button(page, 'نعم، احذف').click();
    await sawToast(t, page, 'تم حذف الصورة.');
    await page.getByText('لم يُعثر على أي صور.').waitFor();

    await page.getByRole('link', { name: 'مشغّل الفيديو', exact: true }).click();
    await page.getByLabel('رابط الفيديو', { exact: true }).fill('https://media.example/film.mp4');
    await page.frameLocator('iframe').getByText('player').waitFor();

    await button(page, 'تسجيل الخروج').click();
    await page.waitForURL('**/login');
    t.equal(await stored(page, 'access_token'), null);
    await page.getByRole('heading', { level: 1, name: 'تسجيل الدخول' }).waitFor();
  });
}

t.test('after the switch no word of the other language is left', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png', 'b.png']);
  await button(page, 'العربية').click();
  await eventually(t, () => page.title(), 'معرض الصور', 'the title is Arabic');
  await eventually(t, () => strayWords(page), [], 'in the gallery');
  await page.getByRole('link', { name: 'رفع الصور', exact: true }).click();
  await choose(page, await pngs('one.png', 'two.png'));
  await page.getByText('صورتان جاهزتان للرفع').waitFor();
  await button(page, 'English').click();
  await page.getByText('2 images ready to upload').waitFor();
  await button(page, 'Remove two.png').waitFor();
  await button(page, 'العربية').click();
  await page.getByText('صورتان جاهزتان للرفع').waitFor();
  await eventually(t, () => strayWords(page), [], 'on the upload page');
});

t.test('in Arabic the arrow that points to the left leads to the next image', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png', 'b.png'], arabic);
  await pictureOf(page, 'a.png').click();
  await page.getByRole('dialog', { name: 'a.png' }).waitFor();
  await page.keyboard.press('ArrowLeft');
  await page.getByRole('dialog', { name: 'b.png' }).waitFor();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('dialog', { name: 'a.png' }).waitFor();
  const next = await button(page, 'الصورة التالية').boundingBox();
  const previous = await button(page, 'الصورة السابقة').boundingBox();
  t.ok((next?.x ?? 1440) < (previous?.x ?? 0), 'and its button stands at the left of the other');
});

t.test('in Arabic the cards begin at the right, and toasts stay there', async (t) => {
  const { page } = await openGallery(t, stage, ['a.png', 'b.png'], arabic);
  const first = await pictureOf(page, 'a.png').boundingBox();
  const second = await pictureOf(page, 'b.png').boundingBox();
  t.ok((first?.x ?? 0) > (second?.x ?? 0), 'the newest is the rightmost');
  await page.route('**/api/images/delete/*', (route) => route.abort());
  await button(cardOf(page, 'a.png'), 'حذف').click();
  await button(page, 'نعم، احذف').click();
  await sawToast(t, page, 'تعذّر الحذف', 'انقطع الاتصال.');
  const right = async () => {
    const box = await toasts(page).first().boundingBox();
    return Math.round((box?.x ?? 0) + (box?.width ?? 0));
  };
  await eventually(t, right, 1440 - 16, 'at the right edge');
});
