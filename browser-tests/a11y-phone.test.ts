import t from 'tap';
import { screens } from './testing/screens.ts';
import { openStage } from './testing/stage.ts';

// Two images a page, so that three of them have a pager.
const stage = await openStage(t, { pageSize: 2 });

for (const [name, look] of Object.entries(screens)) {
  t.test(`axe-core finds nothing on ${name} (phone)`, (t) => look(t, stage, { size: 'phone' }));
}
