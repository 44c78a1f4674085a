/** The basic tasks in Arabic, from login to logout. */
import type { Locator, Page } from 'playwright-core';
import type { Test } from 'tap';
import { signIn } from '../../../server/testing/account.ts';
import { arabic } from '../arabic.ts';
import { choose, pngs } from '../files.ts';
import { cardOf, shows } from '../gallery.ts';
import { openPage, type PageOptions, type Stage, stored } from '../stage.ts';
import { sawToast } from '../toasts.ts';

const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true });

export async function goesThroughInArabic(t: Test, stage: Stage, options: PageOptions): Promise<void> {
  const account = await signIn(stage.app);
  const page = await openPage(t, stage, { ...options, ...arabic });
  await page.route('https://media.example/**', (route) => route.fulfill({ contentType: 'text/html', body: 'player' }));
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
}
