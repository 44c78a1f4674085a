import { createHook } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { openSignedIn, openStage } from '../../../browser-tests/testing/stage.ts';
import { abuse } from '../../testing/abuse.ts';
import { full } from '../../testing/full.ts';
import { measured } from '../../testing/measured.ts';
import { corpusList, listsLeftOut } from '../../testing/pictures/corpus.ts';

const refusedLinks = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  ' \u0001javascript:alert(1)',
  'javascript://youtube.com/%0aalert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'blob:https://youtube.com/1',
  'file:///etc/passwd',
  'about:srcdoc',
  'filesystem:http://x/y',
  '//evil.example/watch?v=dQw4w9WgXcQ',
  'https://www.youtube.com@evil.example/watch?v=dQw4w9WgXcQ',
  'https://user:secret@evil.example/',
  '"><script>alert(1)</script>',
  "' onload=alert(1) '",
];
/** Addresses that resemble a known provider and must not be treated as one. */
const lookAlikes = [
  'https://youtube.com.evil.example/watch?v=dQw4w9WgXcQ',
  'https://evil.example/youtube.com/embed/dQw4w9WgXcQ',
  'https://yoütube.com/watch?v=dQw4w9WgXcQ',
  'https://уoutube.com/watch?v=dQw4w9WgXcQ',
  'https://evil.example/?v=dQw4w9WgXcQ#https://youtube.com/',
  'https://youtube.com.:443@evil.example/',
];
/** Addresses of known providers with more in them than a video id. */
const loaded: Record<string, string> = {
  'https://www.youtube.com/embed/dQw4w9WgXcQ?autoplay=1&origin=https://evil.example&enablejsapi=1':
    'https://www.youtube.com/embed/dQw4w9WgXcQ',
  'https://www.youtube.com/watch?v=dQw4w9WgXcQ"onload="alert(1)': 'https://www.youtube.com/embed/dQw4w9WgXcQ',
  'https://player.vimeo.com/video/76979871?api=1&player_id=<script>': 'https://player.vimeo.com/video/76979871',
};

async function sourceFor(page: Page, link: string): Promise<string | null> {
  const box = page.getByLabel('Video URL', { exact: true });
  await box.fill('');
  await page.locator('iframe').waitFor({ state: 'detached' });
  await box.fill(link);
  const shown = page.locator('iframe[src]');
  const refusal = page.getByText('This does not look like a video link.', { exact: true });
  await shown.or(refusal).first().waitFor();
  return (await shown.count()) > 0 ? shown.getAttribute('src') : null;
}

/**
 * Records what the server requests from others: calls to a host that links name, and every DNS lookup of this process.
 * The browser is a separate process, and `page.route` answers its requests.
 */
async function watchOutgoing(t: Test) {
  const asked: string[] = [];
  const host = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    response.end();
  });
  host.listen(0, '127.0.0.2');
  await once(host, 'listening');
  const lookups = createHook({
    init: (_id, type) => void (type === 'GETADDRINFOREQWRAP' && asked.push('a name')),
  }).enable();
  t.teardown(() => {
    lookups.disable();
    host.close();
  });
  return { origin: `http://127.0.0.2:${(host.address() as AddressInfo).port}`, asked: () => asked };
}

abuse(
  'A24',
  'only http and https links are framed, and links of known providers are rebuilt from the id',
  async (t) => {
    const stage = await openStage(t);
    const { page } = await openSignedIn(t, stage, '/login');
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      t.fail(`a script ran: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await page.route(
      (url) => url.origin !== stage.origin,
      (route) => route.fulfill({ contentType: 'text/html', body: '' }),
    );
    stage.app.server.on('request', ({ url }) => asked.push(url ?? ''));
    await page.goto('/dashboard/video');
    const elsewhere = await watchOutgoing(t);

    const list = corpusList('video_urls').filter((_, index) => full || index % 10 === 0);
    const through: string[] = [];
    for (const link of [...refusedLinks, ...corpusList('hostile_url_schemes')]) {
      const source = await sourceFor(page, link.replace(/[\r\n]/g, ' '));
      t.equal(source, null, encodeURI(link.toWellFormed()).slice(0, 60));
      if (source !== null) through.push(link);
    }
    for (const link of lookAlikes) {
      const source = await sourceFor(page, link);
      t.notMatch(source, /^https:\/\/www\.youtube(?:-nocookie)?\.com\//, encodeURI(link));
    }
    for (const [link, wanted] of Object.entries(loaded)) t.equal(await sourceFor(page, link), wanted, encodeURI(link));
    for (const link of list) t.match((await sourceFor(page, link)) ?? 'https://', /^https?:\/\//i, encodeURI(link));
    for (const link of [`${elsewhere.origin}/film.mp4`, `${elsewhere.origin}/watch?v=dQw4w9WgXcQ`])
      t.equal(await sourceFor(page, link), link, 'another site is framed unchanged');
    await sourceFor(page, 'https://youtu.be/dQw4w9WgXcQ');
    const frame = page.locator('iframe');
    t.notMatch(
      await frame.getAttribute('sandbox'),
      /allow-top-navigation|allow-modals|allow-downloads/,
      'the frame cannot move the page',
    );
    const policy = (await page.request.get('/dashboard/video')).headers()['content-security-policy'] ?? '';
    t.match(policy, /frame-src http: https:(?:;|$)/);
    t.notOk(
      asked.some((url) => /youtu|evil|vimeo/.test(url)),
      'the server is not asked to fetch anything',
    );
    t.same(elsewhere.asked(), [], 'the server requests no other host and looks up no name');
    const count = refusedLinks.length + corpusList('hostile_url_schemes').length;
    if (listsLeftOut()) return;
    measured('G18', {
      part: 'video links',
      seen: `${through.length} of ${count}`,
      held: through.length === 0,
    });
  },
);
