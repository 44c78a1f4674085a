import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import type { BrowserContext } from 'playwright-core';
import t from 'tap';
import { pngs } from '../testing/files.ts';
import { openPage, openSignedIn, openStage } from '../testing/stage.ts';

const stage = await openStage(t);

/** A language whose every text is in brackets. */
const pseudo = `
import * as en from './en.ts';
import type { AuthWords, FactorsWords, GalleryWords, LaterWords, SettingsWords, StartWords, SharingWords, TokensWords, UploadWords } from '../words.ts';

function marked<Value>(value: Value): Value {
  const mark = (one: unknown): unknown => {
    if (typeof one === 'string') return one === '' ? one : \`⟦\${one}⟧\`;
    if (typeof one === 'function') return (...given: unknown[]) => mark(one(...given));
    if (typeof one !== 'object' || one === null) return one;
    return Object.fromEntries(Object.entries(one).map(([key, text]) => [key, mark(text)]));
  };
  return mark(value) as Value;
}

export const start: StartWords = { ...marked(en.start), locale: 'eo', separator: ' · ', mailLanguage: 'en' };
export const auth: AuthWords = marked(en.auth);
export const gallery: GalleryWords = marked(en.gallery);
export const upload: UploadWords = marked(en.upload);
export const later: LaterWords = marked(en.later);
export const settings: SettingsWords = marked(en.settings);
export const sharing: SharingWords = marked(en.sharing);
export const tokens: TokensWords = marked(en.tokens);
export const factors: FactorsWords = marked(en.factors);
`;

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
  '.avif': 'image/avif',
  '.svg': 'image/svg+xml',
};

/** Builds the page with one more file, and nothing else changed. @returns its folder */
async function buildWith(code: string): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), 'third-language-'));
  t.teardown(() => rm(place, { recursive: true }));
  await cp('client', join(place, 'client'), { recursive: true });
  await cp('server/contract.ts', join(place, 'server/contract.ts'));
  await cp('tsconfig.json', join(place, 'tsconfig.json'));
  await symlink(join(process.cwd(), 'node_modules'), join(place, 'node_modules'));
  await writeFile(join(place, `client/text/languages/${code}.ts`), pseudo);
  const run = promisify(execFile);
  const config = join(place, 'client/vite.config.ts');
  await run(process.execPath, ['node_modules/typescript/bin/tsc', '--noEmit', '-p', join(place, 'client')]);
  await run(process.execPath, [
    'node_modules/vite/bin/vite.js',
    'build',
    '--config',
    config,
    '--outDir',
    `${place}/built`,
  ]);
  return join(place, 'built');
}

/** Serves this build in place of the server's. */
async function serve(context: BrowserContext, folder: string): Promise<void> {
  await context.route(`${stage.origin}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (/^\/(?:api|i)\//.test(pathname)) return route.fallback();
    const file = extname(pathname) === '' ? '/index.html' : pathname;
    try {
      await route.fulfill({ body: await readFile(join(folder, file)), contentType: types[extname(file)] ?? '' });
    } catch {
      await route.fulfill({ status: 404 });
    }
  });
}

/** Visible texts that no language's file contains. Names, dates, sizes and the names of languages are no texts of ours. */
const strangers = `[...document.querySelectorAll('body *')].flatMap((element) => {
  if (element.closest('bdi, time, kbd, script, style, option, [lang]:not(html)') || !element.checkVisibility()) return [];
  return [...element.childNodes]
    .filter((node) => node.nodeType === 3 && /\\p{L}/u.test(node.data) && !/[⟦⟧\\d]/.test(node.data))
    .map((node) => node.data);
})`;

t.test('a third language is one file and nothing else', async (t) => {
  const folder = await buildWith('eo');
  const options = { locale: 'eo' };
  const visitor = await openPage(t, stage, options);
  await serve(visitor.context(), folder);
  for (const path of ['/login', '/register', '/forgot', '/reset', '/email', '/nowhere']) {
    await visitor.goto(path);
    await visitor.getByRole('heading', { level: 1, name: /^⟦.*⟧$/ }).waitFor();
    t.same(await visitor.evaluate(strangers), [], path);
  }
  t.equal(await visitor.locator('html').getAttribute('lang'), 'eo');

  const { page } = await openSignedIn(t, stage, '/nowhere', options);
  await serve(page.context(), folder);
  for (const path of ['upload', 'images', 'video', 'albums', 'settings']) {
    await page.goto(`/dashboard/${path}`);
    await page.getByRole('heading', { level: 1, name: /^⟦.*⟧$/ }).waitFor();
    await page.waitForLoadState('networkidle');
    t.same(await page.evaluate(strangers), [], path);
  }
  await page.goto('/dashboard/upload');
  await page.locator('input[type=file]').setInputFiles(await pngs('one.png'));
  await page.getByRole('button', { name: '⟦Upload⟧', exact: true }).click();
  await page.getByText('⟦Images uploaded successfully 📸⟧').waitFor();
  await page.goto('/dashboard/settings');
  await page.getByRole('radio', { name: 'English' }).click();
  await page.getByRole('heading', { level: 1, name: 'Settings', exact: true }).waitFor();
});
