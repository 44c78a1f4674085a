import type { Page } from 'playwright-core';
import t from 'tap';
import { signIn } from '../../server/testing/account.ts';
import { wordsFor } from '../testing/checks/words.ts';
import { eventually } from '../testing/eventually.ts';
import { choose, pngs } from '../testing/files.ts';
import { hold } from '../testing/hold.ts';
import { openPage, openSignedIn, openStage, stored } from '../testing/stage.ts';
import { sawToast } from '../testing/toasts.ts';

const stage = await openStage(t);

const arabic = { locale: 'ar-EG' };
const languageOf = (page: Page) =>
  page.evaluate<string>("document.documentElement.lang + ' ' + document.documentElement.dir");
const headingOf = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** The language files that the page loads from now on. */
function wordsFetched(page: Page): string[] {
  const fetched: string[] = [];
  page.on('request', (request) => {
    const [, language] = /\/assets\/(en|ar)-[\w-]+\.js$/.exec(request.url()) ?? [];
    if (language) fetched.push(language);
  });
  return fetched;
}

t.test("the browser's language is used first, and only its words are loaded", async (t) => {
  for (const [locale, language, title] of [
    ['ar-EG', 'ar rtl', 'تسجيل الدخول'],
    ['ar', 'ar rtl', 'تسجيل الدخول'],
    ['en-GB', 'en ltr', 'Login'],
    ['sw-KE', 'en ltr', 'Login'],
  ] as const) {
    const page = await openPage(t, stage, { locale });
    const fetched = wordsFetched(page);
    await page.goto('/login');
    await headingOf(page, title).waitFor();
    t.equal(await languageOf(page), language, locale);
    t.same([...new Set(fetched)], [language.slice(0, 2)], `${locale}: no other words are loaded`);
    t.equal(await page.title(), title);
  }
});

t.test("the first of the browser's languages that the page supports is used", async (t) => {
  const prepare = {
    prepare: (context: import('playwright-core').BrowserContext) =>
      context.addInitScript("Object.defineProperty(navigator, 'languages', { value: ['sw-KE', 'ar-MA', 'en'] })"),
  };
  const page = await openPage(t, stage, prepare);
  await page.goto('/login');
  await headingOf(page, 'تسجيل الدخول').waitFor();
});

t.test('the language is set before the first paint', async (t) => {
  const page = await openPage(t, stage, arabic);
  // Without the app's scripts, only the inline script runs.
  await page.route('**/assets/*.js', () => {});
  await page.goto('/login', { waitUntil: 'commit' });
  await eventually(t, () => languageOf(page), 'ar rtl', 'language and direction');
});

t.test('the words are preloaded with the screen’s other files', async (t) => {
  const page = await openPage(t, stage, arabic);
  await page.goto('/login');
  await headingOf(page, 'تسجيل الدخول').waitFor();
  const hinted = await page.evaluate<string[]>(
    "[...document.querySelectorAll('link[rel=modulepreload], link[as=font]')].map((link) => link.href)",
  );
  t.equal(hinted.filter((href) => /\/ar-[\w-]+\.js$/.test(href)).length, 3, 'start, auth and single sign-on');
  t.equal(hinted.filter((href) => /\/vazirmatn-arabic-[\w-]+\.woff2$/.test(href)).length, 1);
  t.same(
    hinted.filter((href) => /\/en-[\w-]+\.js$/.test(href)),
    [],
  );
});

t.test('the switch changes the language without a reload, and the choice persists', async (t) => {
  const page = await openPage(t, stage);
  await page.goto('/login');
  await page.getByLabel('Email', { exact: true }).fill('someone@example.com');
  await press(page, 'العربية');
  await headingOf(page, 'تسجيل الدخول').waitFor();
  t.equal(await languageOf(page), 'ar rtl');
  t.equal(await page.title(), 'تسجيل الدخول');
  t.equal(
    await page.getByLabel('البريد الإلكتروني', { exact: true }).inputValue(),
    'someone@example.com',
    'the input stays',
  );
  t.equal(await page.evaluate('document.activeElement.innerText'), 'English', 'the focus stays on the switch');
  t.equal(await stored(page, 'language'), 'ar');
  await page.reload();
  await headingOf(page, 'تسجيل الدخول').waitFor();
  await press(page, 'English');
  await headingOf(page, 'Login').waitFor();
  t.equal(await languageOf(page), 'en ltr');
  t.equal(await stored(page, 'language'), 'en');
});

t.test('a choice overrides the browser’s language', async (t) => {
  const page = await openPage(t, stage, arabic);
  await page.goto('/login');
  await press(page, 'English');
  await headingOf(page, 'Login').waitFor();
  await page.goto('/register');
  await headingOf(page, 'Register').waitFor();
});

t.test('an invalid stored language is ignored', async (t) => {
  const page = await openPage(t, stage, {
    prepare: (context) => context.addInitScript("try { localStorage.setItem('language', 'constructor') } catch {}"),
  });
  await page.goto('/login');
  await headingOf(page, 'Login').waitFor();
  t.equal(await languageOf(page), 'en ltr');
});

for (const size of ['desktop', 'phone'] as const) {
  t.test(`the pending list survives a change of language (${size})`, async (t) => {
    const { page } = await openSignedIn(t, stage, '/dashboard/upload', { size });
    await choose(page, await pngs('one.png', 'two.png'));
    await page.getByRole('button', { name: 'Remove two.png' }).waitFor();
    await press(page, 'العربية');
    await headingOf(page, 'رفع الصور').waitFor();
    await page.getByRole('button', { name: 'إزالة one.png', exact: true }).waitFor();
    await page.getByRole('button', { name: 'إزالة two.png', exact: true }).waitFor();
    await page.getByText('صورتان جاهزتان للرفع').waitFor();
    await press(page, 'رفع');
    await sawToast(t, page, 'تم رفع الصور بنجاح 📸');
  });
}

t.test('if the other language fails to load, the page stays as it is and shows an error', async (t) => {
  const page = await openPage(t, stage);
  await page.route(/\/assets\/ar-[\w-]+\.js$/, (route) => route.abort());
  await page.goto('/login');
  await press(page, 'العربية');
  await sawToast(t, page, "Couldn't load the language. Check your connection and try again.");
  t.equal(await languageOf(page), 'en ltr');
  t.equal(await stored(page, 'language'), null);
});

t.test('a page whose words fail to load is shown in English', async (t) => {
  const page = await openPage(t, stage, arabic);
  await page.route(/\/assets\/ar-[\w-]+\.js$/, (route) => route.abort());
  await page.goto('/login');
  await headingOf(page, 'Login').waitFor();
  t.equal(await languageOf(page), 'en ltr');
});

t.test('an API error is shown in the language of the page', async (t) => {
  const page = await openPage(t, stage, arabic);
  await page.goto('/login');
  await page.getByLabel('البريد الإلكتروني', { exact: true }).fill('nobody@example.com');
  await page.getByLabel('كلمة المرور', { exact: true }).fill('a wrong password');
  await press(page, 'تسجيل الدخول');
  await sawToast(
    t,
    page,
    'فشل تسجيل الدخول. يُرجى التحقق من بيانات الدخول.',
    'البريد الإلكتروني أو كلمة المرور غير صحيحة.',
  );
});

t.test('the heading of the video page is Arabic in both languages', async (t) => {
  const account = await signIn(stage.app);
  const page = await openPage(t, stage, { account });
  await page.goto('/dashboard/video');
  const heading = headingOf(page, 'مشغّل فيديو من مزوّد سحابي');
  await heading.waitFor();
  t.equal(await page.title(), 'Video Player');
  await press(page, 'العربية');
  await eventually(t, () => page.title(), 'مشغّل الفيديو', 'the title follows the language');
  await heading.waitFor();
});

t.test('a screen opened during a language switch is shown entirely in the new language', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  const { reached, release } = await hold(page, /\/assets\/ar-[\w-]+\.js$/);
  await press(page, 'العربية');
  await reached;
  await page.getByRole('link', { name: 'Video Player', exact: true }).click();
  await page.getByLabel('Video URL', { exact: true }).waitFor();
  release();
  await page.getByLabel(wordsFor(arabic)('Video URL'), { exact: true }).waitFor();
});
