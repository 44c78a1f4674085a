import t from 'tap';
import { findsNothing } from './testing/axe.ts';
import { choose, png } from './testing/files.ts';
import { screens } from './testing/screens.ts';
import { openSignedIn, openStage } from './testing/stage.ts';

// Two images a page, so that three of them have a pager.
const stage = await openStage(t, { pageSize: 2 });

for (const [name, look] of Object.entries(screens)) {
  t.test(`axe-core finds nothing on ${name} (desktop)`, (t) => look(t, stage, { size: 'desktop' }));
}

t.test('axe-core finds nothing beside the narrow sidebar', async (t) => {
  const { page } = await openSignedIn(t, stage, '/dashboard/upload');
  await page.getByRole('button', { name: 'Collapse sidebar' }).click();
  await choose(page, [await png('one.png')]);
  await findsNothing(t, page, 'narrow sidebar');
});
