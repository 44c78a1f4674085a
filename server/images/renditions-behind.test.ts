import t, { type Test } from 'tap';
import type { ImageRow } from '../../drizzle/schema.ts';
import { DamagedOriginal, StorageUnavailable } from '../errors.ts';
import { until } from '../testing/socket.ts';
import type { DecoderPool } from './decoder/pool.ts';
import { createQuiet } from './quiet.ts';
import { createRenditionsBehind } from './renditions-behind.ts';

const rowOf = (id: string) => ({ id }) as ImageRow;

/** A decoder whose pictures are decoded when the test says so. */
function heldDecoder() {
  const held: (() => void)[] = [];
  const decoder: DecoderPool = {
    decode: () =>
      new Promise((resolve) => {
        held.push(() => resolve({ ok: false, failure: { code: 'EMPTY_FILE', detail: '' } }));
      }),
    close: async () => undefined,
  };
  return { decoder, held };
}

function stageOf(t: Test, due: string[], make: (row: ImageRow, signal: AbortSignal) => Promise<unknown>) {
  const quiet = createQuiet(0);
  const { decoder, held } = heldDecoder();
  const givenUp: string[] = [];
  const warned: string[] = [];
  const behind = createRenditionsBehind({
    quiet,
    nextDue: async (without) => due.filter((id) => !without.includes(id)).map(rowOf)[0],
    make,
    giveUp: async ({ id }) => {
      givenUp.push(id);
      due.splice(due.indexOf(id), 1);
    },
    log: { warn: (_details: unknown, message?: string) => warned.push(message ?? '') } as never,
    patience: 1,
  });
  t.teardown(() => behind.close());
  return { behind, decoder: quiet.watch(decoder), held, givenUp, warned };
}

t.test('nothing is made while somebody waits for a picture', async (t) => {
  const made: string[] = [];
  const due = ['a', 'b'];
  const { behind, decoder, held } = stageOf(t, due, async ({ id }) => {
    made.push(id);
    due.shift();
  });
  const asked = decoder.decode('somebody’s');
  behind.wake();
  await new Promise((resolve) => setImmediate(resolve));
  t.same(made, []);
  held[0]?.();
  await asked;
  await until(() => due.length === 0);
  t.same(made, ['a', 'b']);
});

t.test('it is broken off as soon as somebody waits, and made again afterwards', async (t) => {
  const seen: string[] = [];
  const due = ['a'];
  let first = true;
  const { behind, decoder, held } = stageOf(t, due, async ({ id }, signal) => {
    if (!first) {
      seen.push(`made ${id}`);
      due.shift();
      return;
    }
    first = false;
    seen.push(`begun ${id}`);
    await new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  });
  behind.wake();
  await until(() => seen.length === 1);
  const asked = decoder.decode('somebody’s');
  held[0]?.();
  await asked;
  await until(() => due.length === 0);
  t.same(seen, ['begun a', 'made a']);
});

t.test('a picture that cannot be decoded is passed over until the next start, and the next one made', async (t) => {
  const due = ['broken', 'good'];
  const { behind, givenUp } = stageOf(t, due, async ({ id }) => {
    if (id === 'broken') throw new DamagedOriginal();
    due.splice(due.indexOf(id), 1);
  });
  behind.wake();
  await until(() => due.length === 1);
  t.same([due, givenUp], [['broken'], []]);
});

t.test('a failure of the storage is told, and it is tried again', async (t) => {
  const due = ['a'];
  let failures = 0;
  const { behind, warned, givenUp } = stageOf(t, due, async () => {
    failures += 1;
    if (failures < 3) throw new StorageUnavailable();
    due.shift();
  });
  behind.wake();
  await until(() => due.length === 0);
  t.equal(warned.length, 2);
  t.same(givenUp, []);
});

t.test('what comes while it ends is not forgotten', async (t) => {
  const due: string[] = [];
  let made = 0;
  const { behind } = stageOf(t, due, async () => {
    made += 1;
    due.shift();
  });
  for (let number = 1; number <= 50; number += 1) {
    due.push(String(number));
    behind.wake();
    await until(() => due.length === 0);
    t.equal(made, number);
  }
});

t.test('closed, it does nothing more and waits for nobody', async (t) => {
  const { behind, decoder } = stageOf(t, ['a'], async () => t.fail('nothing is made'));
  void decoder.decode('somebody’s');
  behind.wake();
  await behind.close();
  behind.wake();
});
