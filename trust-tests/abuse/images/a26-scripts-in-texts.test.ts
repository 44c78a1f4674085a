import sharp from 'sharp';
import { openPage, openStage } from '../../../browser-tests/testing/stage.ts';
import { signIn } from '../../../server/testing/account.ts';
import { storeFiles } from '../../../server/testing/form.ts';
import { picture } from '../../../server/testing/pictures.ts';
import { abuse } from '../../testing/abuse.ts';
import { measured } from '../../testing/measured.ts';
import { corpusList, listsLeftOut } from '../../testing/pictures/corpus.ts';

const own = [
  '<script>alert(1)</script>.png',
  '<img src=x onerror=alert(1)>.png',
  '"><svg onload=alert(1)>.png',
  "' onmouseover='alert(1)' x='.png",
  'javascript:alert(1).png',
  '{{constructor.constructor("alert(1)")()}}.png',
  '<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;">.png',
  '&lt;script&gt;alert(1)&lt;/script&gt;.png',
  '<a href="javascript:alert(1)">x</a>.png',
  '</title><script>alert(1)</script>.png',
  '\u2028alert(1)//.png',
  '<style>*{background:url(http://evil.example)}</style>.png',
  '__proto__.png',
];

abuse('A26', 'a script in a file name or in metadata is shown as text on every screen', async (t) => {
  const stage = await openStage(t, { pageSize: 100 });
  const account = await signIn(stage.app);
  const bytes = await picture();
  // The server cuts a name at a slash; another character keeps the whole payload.
  const names = [...own, ...corpusList('xss_strings')].map((text) => text.replace(/[\\/]/g, '\u2215'));
  const told = await sharp(await picture({ format: 'jpeg' }))
    .withExif({ IFD0: { ImageDescription: own[0] ?? '', Artist: own[1] ?? '', Copyright: own[2] ?? '' } })
    .jpeg()
    .toBuffer();
  await storeFiles(stage.app, account, [...names.map((name) => ({ name, bytes })), { name: 'told.jpg', bytes: told }]);

  const page = await openPage(t, stage, { account });
  const ran: string[] = [];
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    ran.push(dialog.message());
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url());
    if (/^https?:/.test(protocol) && origin !== stage.origin) asked.push(request.url());
  });
  const cards = page.getByRole('main').getByRole('listitem');
  await page.goto('/dashboard/images');
  await cards.nth(names.length).waitFor();
  t.equal(await cards.count(), names.length + 1, 'all names are shown as text');

  const texts = new Set(await cards.locator('bdi').allTextContents());
  t.ok(texts.has(own[0]?.replace(/[\\/]/g, '\u2215') ?? ''), 'the payload is shown letter by letter');
  // The title and the alternative text also contain the name; the preview shows it large.
  await page.getByRole('main').getByRole('button', { name: 'told.jpg', exact: true }).click();
  await page.getByRole('dialog').waitFor();
  for (let index = 0; index < 10; index += 1) await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Escape');
  for (const text of own.slice(0, 6)) {
    await page.goto(
      `/dashboard/images?search=${encodeURIComponent(text)}&page=${encodeURIComponent(text)}#${encodeURIComponent(text)}`,
    );
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.goto(`/${encodeURIComponent(text)}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
  }
  await page.evaluate(
    `localStorage.setItem('user', ${JSON.stringify(JSON.stringify({ username: own[0], email: own[1] }))})`,
  );
  await page.goto('/dashboard/upload');
  await page
    .locator('input[type=file]')
    .setInputFiles(own.slice(0, 4).map((name) => ({ name, mimeType: 'image/png', buffer: Buffer.from('no picture') })));
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await page.getByText('Upload failed. Please try again.').first().waitFor();

  t.same(ran, []);
  t.same(asked, []);
  if (listsLeftOut()) return;
  measured('G18', {
    part: 'scripts',
    seen: `${ran.length + asked.length} of ${names.length}`,
    held: ran.length + asked.length === 0,
  });
});
