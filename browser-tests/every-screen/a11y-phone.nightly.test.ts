import t from 'tap';
import { openScreens, screens } from '../testing/screens.ts';

const stage = await openScreens(t);

for (const [name, visit] of screens) {
  t.test(`axe-core reports no violations on ${name} (phone)`, (t) => visit(t, stage, { size: 'phone' }));
}
