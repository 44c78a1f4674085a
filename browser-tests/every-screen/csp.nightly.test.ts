import type { Page } from 'playwright-core';
import t from 'tap';
import { reportsOf } from '../testing/checks/violations.ts';
import { eventually } from '../testing/eventually.ts';
import { choose } from '../testing/files.ts';
import { cardOf, galleryPath, pictureOf, shows, withPictures } from '../testing/gallery.ts';
import { naturalWidth } from '../testing/in-page.ts';
import { openPage, openStage } from '../testing/stage.ts';

const stage = await openStage(t);

/** Ways for injected text to run as a script. Each attempt sets `window.hacked` to its number. */
const attempts = `
  const put = (tag, fill) => { const made = document.createElement(tag); fill(made); document.body.append(made); return made; };
  const attempts = [
    () => put('script', (made) => { made.textContent = 'window.hacked = 0'; }),
    () => put('script', (made) => { made.append(new Text('window.hacked = 1')); }),
    () => put('script', (made) => { made.src = 'https://elsewhere.example/x.js'; }),
    () => put('script', (made) => { made.src = 'data:text/javascript,window.hacked = 3'; }),
    () => put('script', (made) => { made.setAttribute('src', URL.createObjectURL(new Blob(['window.hacked = 4']))); }),
    () => document.body.insertAdjacentHTML('beforeend', '<img src="/nothing.png" onerror="window.hacked = 5">'),
    () => { put('div', () => {}).innerHTML = '<svg onload="window.hacked = 6"></svg>'; },
    () => put('img', (made) => { made.setAttribute('onerror', 'window.hacked = 7'); made.src = '/nothing.png'; }),
    () => put('button', (made) => { made.setAttribute('onclick', 'window.hacked = 8'); }).click(),
    () => put('a', (made) => { made.href = 'javascript:window.hacked = 9'; }).click(),
    () => put('iframe', (made) => { made.src = 'javascript:parent.hacked = 10'; }),
    () => put('iframe', (made) => { made.srcdoc = '<script>parent.hacked = 11</script>'; }),
    () => eval('window.hacked = 12'),
    () => new Function('window.hacked = 13')(),
    () => setTimeout('window.hacked = 14'),
    () => new Worker('data:text/javascript,postMessage(1)').addEventListener('message', () => { window.hacked = 15; }),
    () => document.write('<script>window.hacked = 16</script>'),
    () => document.body.append(document.createRange().createContextualFragment('<script>window.hacked = 17</script>')),
    () => document.body.append(new DOMParser().parseFromString('<p onclick="window.hacked = 18">', 'text/html').body.firstChild),
    () => trustedTypes.createPolicy('mine', { createHTML: (text) => text }),
    () => trustedTypes.createPolicy('worker', { createScriptURL: (text) => text }),
    () => import('data:text/javascript,window.hacked = 21').catch(() => {}),
    () => put('style', (made) => { made.textContent = 'body { --hacked: 22 }'; }),
    () => put('link', (made) => { made.rel = 'stylesheet'; made.href = 'data:text/css,body { --hacked: 23 }'; }),
    () => put('object', (made) => { made.setAttribute('data', 'data:text/html,<script>top.hacked = 24</script>'); }),
    () => put('base', (made) => { made.href = 'https://elsewhere.example/'; }),
  ];`;

/** Runs each attempt, then inserts whole elements through the debugger, as if the HTML parser had created them. */
async function attack(page: Page): Promise<void> {
  // In a timer: code that the debugger evaluates directly may use eval under any policy.
  await page.evaluate(`new Promise((resolve) => setTimeout(() => { ${attempts}
    for (const attempt of attempts) try { attempt(); } catch {}
    resolve();
  }))`);
  const debug = await page.context().newCDPSession(page);
  const { root } = await debug.send('DOM.getDocument');
  const { nodeId } = await debug.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'button' });
  const outerHTML = '<img src="/nothing.png" onerror="window.hacked = 30"><script>window.hacked = 31</script>';
  await debug.send('DOM.setOuterHTML', { nodeId, outerHTML });
  await debug.detach();
}

/** Adds a frame, an image and a timer, and resolves after their events, which follow the events of everything added before. */
const settled = `Promise.all(['iframe', 'img'].map((tag) => new Promise((resolve) => {
    const made = document.createElement(tag);
    for (const name of ['load', 'error']) made.addEventListener(name, resolve);
    made.src = '/nothing.png?last';
    document.body.append(made);
  }))).then(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))`;

t.test('an injected script does not run, by any route', async (t) => {
  const { account } = await withPictures(stage, 'a.png');
  const page = await openPage(t, stage, { account });
  const reports = await reportsOf(page.context());
  page.on('dialog', (dialog) => void dialog.dismiss());
  await page.goto(galleryPath);
  await shows(t, page, 'a.png');
  // The first question creates the Trusted Types policy for sweetalert2, which must resist the attempts too.
  await cardOf(page, 'a.png').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await attack(page);
  const refused = () => new Set(reports.map((report) => report.split(' ')[0]));
  const directives = [
    'require-trusted-types-for',
    'script-src-attr',
    'script-src-elem',
    'style-src-elem',
    'trusted-types',
  ];
  await eventually(
    t,
    () => directives.filter((name) => !refused().has(name)),
    [],
    'every directive has refused an attempt',
  );
  await page.evaluate(settled);
  t.equal(await page.evaluate('window.hacked'), undefined);
  t.equal(await page.evaluate("getComputedStyle(document.body).getPropertyValue('--hacked')"), '');
  t.equal(await page.evaluate("new URL('x', document.baseURI).origin"), stage.origin);
});

t.test('an uploaded SVG is shown, and its scripts do not run', async (t) => {
  const { account } = await withPictures(stage, 'a.png');
  const page = await openPage(t, stage, { account });
  page.on('dialog', (dialog) => {
    t.fail(`a script ran: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const source =
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" onload="alert(1)"><script>alert(2)</script><rect width="40" height="40"/></svg>';
  await page.goto('/dashboard/upload');
  await choose(page, [{ name: 'x.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(source) }]);
  const [answer] = await Promise.all([
    page.waitForResponse('**/api/images/upload'),
    page.getByRole('button', { name: 'Upload', exact: true }).click(),
  ]);
  const { images } = await answer.json();
  t.equal(answer.status(), 201);
  await page.goto(galleryPath);
  await eventually(t, () => naturalWidth(pictureOf(page, 'x.svg').getByRole('img')), 40, 'it is shown');
  const download = page.waitForEvent('download');
  await page.goto(images[0].url).catch(() => {});
  t.equal((await download).url(), images[0].url, 'its link downloads the file instead of opening it');
});
