import t from 'tap';
import { createPart } from './use-part.ts';

const network = new EventTarget();
Object.assign(globalThis, { window: network });
const List = () => null;
const turns = () => new Promise((resolve) => setImmediate(resolve));

t.test('a part that fails to load can be loaded again, also by the return of the network', async (t) => {
  let isAway = true;
  let tries = 0;
  const part = createPart(async () => {
    tries += 1;
    if (isAway) throw new TypeError('Failed to fetch');
    return List;
  });
  const heard: boolean[] = [];
  const leave = part.subscribe(() => heard.push(part.hasFailed()));
  await turns();
  t.same([part.get(), heard], [undefined, [true]]);
  await part.load();
  t.equal(part.hasFailed(), true);
  isAway = false;
  network.dispatchEvent(new Event('online'));
  await turns();
  t.same([part.get(), part.hasFailed(), tries], [List, false, 3]);
  leave();
  await part.load();
  t.same([tries, heard.length], [3, 3]);
});
