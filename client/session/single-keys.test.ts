import t from 'tap';
import './own.ts';
import { session } from './session.ts';
import { singleKeys } from './single-keys.ts';

const user = { id: '1', username: 'amira', email: 'amira@example.com', created_at: '2026-01-01T00:00:00.000Z' };
const press = (key: string) => ({ key, ctrlKey: false, metaKey: false, altKey: false });

t.beforeEach(() => singleKeys.set(true));

t.test('single keys are on until they are switched off', async (t) => {
  t.notOk(singleKeys.ignores(press('c')));
  singleKeys.set(false);
  t.ok(singleKeys.ignores(press('c')));
  t.ok(singleKeys.ignores(press('?')));
  singleKeys.set(true);
  t.notOk(singleKeys.ignores(press('c')));
});

t.test('keys without a character stay on', async (t) => {
  singleKeys.set(false);
  t.notOk(singleKeys.ignores(press('ArrowLeft')));
  t.notOk(singleKeys.ignores(press('Delete')));
});

t.test('a logout keeps the switch', async (t) => {
  session.start({ access_token: 'a', user });
  singleKeys.set(false);
  session.end();
  t.ok(singleKeys.ignores(press('c')));
});
