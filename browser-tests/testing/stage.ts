/** A real server and a real browser per test file; a new browser context per test, logged in if wanted. */
import type { FastifyInstance } from 'fastify';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Test } from 'tap';
import type { User } from '../../server/contract.ts';
import { signIn, type TestAccount } from '../../server/testing/account.ts';
import { buildTestApp, listen, type TestOptions } from '../../server/testing/app.ts';
import { launchChromium } from './chromium.ts';
import { noteToasts } from './toasts.ts';

export type Stage = { app: FastifyInstance; origin: string; browser: Browser };

export const sizes = {
  desktop: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} satisfies Record<string, BrowserContextOptions>;

export type PageOptions = BrowserContextOptions & {
  size?: keyof typeof sizes;
  /** The account that is logged in. */
  account?: TestAccount;
  /** Runs before anything is loaded. */
  prepare?: (context: BrowserContext) => Promise<unknown>;
};

/** @param options of the server, for example a small `pageSize` */
export async function openStage(t: Test, options?: TestOptions): Promise<Stage> {
  const app = await buildTestApp(t, options);
  const origin = await listen(app);
  return { app, origin, browser: await launchChromium(t) };
}

/** Opens a page in a new context. An uncaught error in the page fails the test. */
export async function openPage(t: Test, { app, origin, browser }: Stage, options: PageOptions = {}): Promise<Page> {
  const { size = 'desktop', account, prepare, ...rest } = options;
  const context = await browser.newContext({
    ...sizes[size],
    baseURL: origin,
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    // A worker would answer requests that the tests intercept.
    serviceWorkers: 'block',
    ...(account ? { storageState: await storedSession(app, origin, account) } : {}),
    ...rest,
  });
  t.teardown(async () => {
    // Route handlers still running at the end of a test must not fail it.
    for (const page of context.pages()) await page.unrouteAll({ behavior: 'ignoreErrors' });
    await context.close();
  });
  context.setDefaultTimeout(60_000);
  context.on('weberror', (error) => t.fail(`the page threw: ${error.error().message}`));
  await context.addInitScript(noteToasts);
  await prepare?.(context);
  return context.newPage();
}

async function storedSession(app: FastifyInstance, origin: string, { token, bearer, cookie }: TestAccount) {
  const me = await app.inject({ url: '/api/auth/me', headers: bearer });
  const { user } = me.json<{ user: User }>();
  const [name = '', value = ''] = cookie.split('=');
  const { hostname } = new URL(origin);
  const localStorage = [
    { name: 'access_token', value: token },
    { name: 'user', value: JSON.stringify(user) },
  ];
  return {
    cookies: [
      {
        name,
        value,
        domain: hostname,
        path: '/',
        expires: -1,
        httpOnly: true,
        secure: false,
        sameSite: 'Lax' as const,
      },
    ],
    origins: [{ origin, localStorage }],
  };
}

/** Opens a page at `path`, logged in as a new user. */
export async function openSignedIn(
  t: Test,
  stage: Stage,
  path: string,
  options: PageOptions = {},
): Promise<{ page: Page; account: TestAccount }> {
  const account = options.account ?? (await signIn(stage.app));
  const page = await openPage(t, stage, { ...options, account });
  await page.goto(path);
  return { page, account };
}

/** The value of `key` in localStorage. */
export const stored = (page: Page, key: string): Promise<string | null> =>
  page.evaluate(`localStorage.getItem('${key}')`);
