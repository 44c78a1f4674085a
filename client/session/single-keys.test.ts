import t from 'tap';
import type { Kept } from './own-storage.ts';
import { createSingleKeys } from './single-keys.ts';

function keep(value?: unknown): Kept {
  let kept = value;
  return {
    get: () => kept,
    set(next) {
      kept = next;
    },
  };
}

const press = (key: string) => ({ key, ctrlKey: false, metaKey: false, altKey: false });

t.test('single keys are on until they are switched off', async (t) => {
  const keys = createSingleKeys(keep());
  let told = 0;
  keys.subscribe(() => {
    told += 1;
  });
  t.notOk(keys.ignores(press('c')));
  keys.set(false);
  t.equal(told, 1);
  t.ok(keys.ignores(press('c')));
  t.ok(keys.ignores(press('?')));
  keys.set(true);
  t.notOk(keys.ignores(press('c')));
});

t.test('keys without a character stay on', async (t) => {
  const keys = createSingleKeys(keep(false));
  t.notOk(keys.ignores(press('ArrowLeft')));
  t.notOk(keys.ignores(press('Delete')));
});

t.test('a value of another shape counts as on', async (t) => {
  t.ok(createSingleKeys(keep('no')).areOn());
});
