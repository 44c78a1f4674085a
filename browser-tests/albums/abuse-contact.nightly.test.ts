import t from 'tap';
import { findsNothing } from '../testing/checks/axe.ts';
import { openPage, openStage } from '../testing/stage.ts';

const stage = await openStage(t, { abuseContact: 'mailto:abuse@example.com' });

t.test('login and registration link to the abuse contact set by the operator', async (t) => {
  const page = await openPage(t, stage);
  for (const path of ['/login', '/register']) {
    await page.goto(path);
    const link = page.getByRole('link', { name: 'Report abuse' });
    await link.waitFor();
    t.equal(await link.getAttribute('href'), 'mailto:abuse@example.com');
    await findsNothing(t, page, path);
  }
});
