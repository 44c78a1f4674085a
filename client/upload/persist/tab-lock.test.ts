import t from 'tap';
import { takeTurn } from './tab-lock.ts';

t.test('a page without locks keeps the list at once', async () => {
  await takeTurn(undefined, 'owner');
});

t.test('a page whose storage is blocked keeps the list, and nothing is left unhandled', async (t) => {
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', note);
  t.teardown(() => process.off('unhandledRejection', note));
  await takeTurn({ request: () => Promise.reject(new DOMException('blocked', 'SecurityError')) }, 'owner');
  await new Promise(setImmediate);
  t.same(unhandled, []);
});

t.test('a page waits until the other one closes', async (t) => {
  let grant = (): void => {};
  const request = ((_name: string, hold: () => void) => {
    grant = hold;
    return new Promise<never>(() => undefined);
  }) as unknown as LockManager['request'];
  let hasTurn = false;
  const turn = takeTurn({ request }, 'owner').then(() => {
    hasTurn = true;
  });
  await new Promise(setImmediate);
  t.equal(hasTurn, false);
  grant();
  await turn;
  t.equal(hasTurn, true);
});
