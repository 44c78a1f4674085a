import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Fastify from 'fastify';
import t, { type Test } from 'tap';
import { readConfig } from '../../server/config/read-config.ts';
import { client } from '../../server/http/page/client.ts';
import { responseHeaders } from '../../server/http/response-headers.ts';
import { listen, temporaryFolder } from '../../server/testing/app.ts';
import { launchChromium } from '../testing/chromium.ts';
import { eventually } from '../testing/eventually.ts';
import { openPage } from '../testing/stage.ts';
import { behindWorker, cached } from '../testing/worker.ts';

/** Serves a copy of the built page like the server does. `change` makes another version of it. */
async function serveBuild(t: Test) {
  const folder = await temporaryFolder(t);
  await cp(join(process.cwd(), 'build/client'), folder, { recursive: true });
  const app = Fastify();
  t.teardown(() => app.close());
  await app.register(responseHeaders, { config: readConfig({}) });
  await app.register(client, { folder });
  const missing = new Set<string>();
  app.addHook('onRequest', (request, reply, done) => {
    if (missing.has(request.url)) reply.code(500).send('');
    else done();
  });
  const change = async (version: string) => {
    const place = join(folder, 'sw.js');
    const text = await readFile(place, 'utf8');
    for (const form of ['.br', '.gz']) await rm(place + form, { force: true });
    await writeFile(place, text.replace(/version:`\w+`/, `version:\`${version}\``));
  };
  return { app, origin: await listen(app), change, missing };
}

t.test('a new version is installed without a reload, and all but the previous one are removed', async (t) => {
  const { app, origin, change } = await serveBuild(t);
  await change('first');
  const page = await openPage(t, { app, origin, browser: await launchChromium(t) }, { serviceWorkers: 'allow' });
  await page.goto('/login');
  await behindWorker(page);
  await page.getByLabel('Email', { exact: true }).fill('half written');
  const update =
    'navigator.serviceWorker.getRegistration().then((registration) => registration.update()).then(() => undefined)';
  // Repeated, because a request during a running update check has no effect.
  const updated = async () => {
    await page.evaluate(update);
    return Object.keys(await cached(page));
  };
  t.same(await updated(), ['shell-first']);
  await change('second');
  await eventually(t, updated, ['shell-first', 'shell-second'], 'the files of the open page are kept');
  await change('third');
  await eventually(t, updated, ['shell-second', 'shell-third'], 'the oldest version is removed');
  t.equal(await page.getByLabel('Email', { exact: true }).inputValue(), 'half written', 'the page was not reloaded');
});

t.test('a version with a missing file is not installed', async (t) => {
  const { app, origin, change, missing } = await serveBuild(t);
  const page = await openPage(t, { app, origin, browser: await launchChromium(t) }, { serviceWorkers: 'allow' });
  await page.goto('/login');
  await behindWorker(page);
  const [first] = Object.keys(await cached(page));
  missing.add('/index.html');
  await change('second');
  const outcome = await page.evaluate(`navigator.serviceWorker.getRegistration().then(async (registration) => {
    await registration.update();
    const worker = registration.installing;
    return worker?.state === 'redundant' || new Promise((resolve) => {
      worker.onstatechange = () => { if (worker.state !== 'installing') resolve(worker.state); };
    });
  })`);
  t.equal(outcome, 'redundant');
  t.same((await cached(page))[String(first)]?.includes('/index.html'), true, 'the previous version is kept');
});
