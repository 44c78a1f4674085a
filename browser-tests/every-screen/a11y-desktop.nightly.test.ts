import t from 'tap';
import { openScreens, screens } from '../testing/screens.ts';

const stage = await openScreens(t);

for (const [name, visit] of screens) {
  t.test(`axe-core reports no violations on ${name} (desktop)`, (t) => visit(t, stage, { size: 'desktop' }));
}
