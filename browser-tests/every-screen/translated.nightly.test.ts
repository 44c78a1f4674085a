/** Every screen works after the browser has translated it. */
import t from 'tap';
import type { Judge } from '../testing/screens/visit.ts';
import { openScreens, screens } from '../testing/screens.ts';
import type { PageOptions } from '../testing/stage.ts';
import { textsBesideNodes, translator } from '../testing/translate.ts';

const stage = await openScreens(t);
const translated: PageOptions = { prepare: (context) => context.addInitScript(translator) };

const isWhole: Judge = async (t, page, state) => {
  t.same(await textsBesideNodes(page), [], `${state}: each text is alone in its element`);
  t.equal(await page.getByText("Couldn't load this page.").count(), 0, state);
};

for (const [name, visit] of screens) {
  t.test(`${name}: works translated`, (t) => visit(t, stage, translated, isWhole));
}
