/** Parts of a page that load after it. */
import t from 'tap';
import { galleryPath, shows, withPictures } from '../testing/gallery.ts';
import { openPage, openStage } from '../testing/stage.ts';

const stage = await openStage(t, { pageSize: 2 });

t.test('a part that fails to load is missing until a later try, and the page around it works', async (t) => {
  const { account } = await withPictures(stage, 'c.png', 'b.png', 'a.png');
  const page = await openPage(t, stage, { account });
  let failures = 0;
  await page.route('**/assets/pager-*.js', (route) => (failures++ < 2 ? route.abort() : route.continue()));
  await page.goto(galleryPath);
  await shows(t, page, 'c.png', 'b.png');
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await shows(t, page, 'a.png');
  t.equal(failures, 3);
});

t.test('a part that fails again and again offers to reload the page', async (t) => {
  const { account } = await withPictures(stage, 'c.png', 'b.png', 'a.png');
  const page = await openPage(t, stage, { account });
  await page.route('**/assets/pager-*.js', (route) => route.abort());
  await page.goto(galleryPath);
  const offer = page.getByRole('alert').filter({ hasText: "Couldn't load this part." });
  await offer.waitFor();
  await page.unroute('**/assets/pager-*.js');
  await offer.getByRole('button', { name: 'Reload', exact: true }).click();
  await page.getByRole('button', { name: 'Next', exact: true }).waitFor();
  t.equal(await offer.count(), 0);
});

t.test('an account without the role never loads the part of the administration', async (t) => {
  const { account } = await withPictures(stage, 'a.png');
  const page = await openPage(t, stage, { account });
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(request.url()));
  const known = page.waitForResponse('**/api/account');
  await page.goto(galleryPath);
  await shows(t, page, 'a.png');
  await (await known).finished();
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
  t.same(
    scripts.filter((url) => /admin/.test(url)),
    [],
  );
});
