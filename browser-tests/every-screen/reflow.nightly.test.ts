import type { BrowserContext } from 'playwright-core';
import t from 'tap';
import { magnified, reflows } from '../testing/checks/reflow.ts';
import { openScreens, screens } from '../testing/screens.ts';

const stage = await openScreens(t);

for (const [name, visit] of screens) {
  t.test(`at 400 % and without web fonts, everything is readable and reachable on ${name}`, async (t) => {
    let withheld = 0;
    const prepare = (context: BrowserContext) =>
      context.route('**/*.woff2', (route) => {
        withheld += 1;
        return route.abort();
      });
    await visit(t, stage, { viewport: magnified, prepare }, reflows);
    t.ok(withheld > 0, 'the fonts were requested');
  });
}
