import t from 'tap';
import { isSingleKey } from './keyboard.ts';

const press = (key: string, held: 'ctrlKey' | 'metaKey' | 'altKey' | '' = '') => ({
  key,
  ctrlKey: held === 'ctrlKey',
  metaKey: held === 'metaKey',
  altKey: held === 'altKey',
});

t.test('a letter, a digit or a sign alone is a single key', async (t) => {
  for (const key of ['c', 'C', '0', '/', '?', '+', 'ش']) t.ok(isSingleKey(press(key)), key);
});

t.test('named keys, Space and keys with a modifier are not', async (t) => {
  for (const key of ['Delete', 'ArrowLeft', 'Escape', 'F1', ' ']) t.notOk(isSingleKey(press(key)), key);
  for (const held of ['ctrlKey', 'metaKey', 'altKey'] as const) t.notOk(isSingleKey(press('a', held)), held);
});
