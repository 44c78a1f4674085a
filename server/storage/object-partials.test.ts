import { randomUUID } from 'node:crypto';
import t from 'tap';
import { createObjectPartials } from './object-partials.ts';
import type { ObjectStore } from './object-store.ts';
import { newPiece } from './partials.ts';
import type { Staging } from './staging.ts';

t.test('continuing an upload checks its last piece, reading it checks all pieces', async (t) => {
  const pieces = [0, 10, 20, 30].map(newPiece);
  const upload = { id: randomUUID(), received: 40, pieces };
  const there = new Map(pieces.map((piece) => [`partials/${upload.id}/${piece}.part`, { size: 10, version: '1' }]));
  let asked: string[] = [];
  const stat = async (key: string) => {
    asked.push(key);
    return there.get(key);
  };
  const { isThere } = createObjectPartials({ stat } as ObjectStore, {} as Staging, async function* () {});
  const [first = '', last = ''] = [...there.keys()].filter((_key, index) => index === 0 || index === 3);
  t.equal(await isThere(upload, 'last'), true);
  t.same(asked, [last]);
  asked = [];
  t.equal(await isThere(upload), true);
  t.same(asked, [...there.keys()]);
  there.delete(first);
  t.equal(await isThere(upload, 'last'), true);
  t.equal(await isThere(upload), false);
  there.delete(last);
  t.equal(await isThere(upload, 'last'), false);
  t.equal(await isThere({ ...upload, received: 0, pieces: [] }, 'last'), true);
  t.equal(await isThere({ ...upload, pieces: [] }, 'last'), false);
});
