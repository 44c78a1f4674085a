import t, { type Test } from 'tap';
import type { ImageRow } from '../../drizzle/schema.ts';
import { connect } from '../database/connect.ts';
import { createDecoder } from '../decoder/decoder.ts';
import type { DecoderPool } from '../decoder/pool/pool.ts';
import { DamagedOriginal, StorageUnavailable } from '../errors.ts';
import { eventually } from '../testing/eventually.ts';
import { createTestDatabase } from '../testing/postgres/database.ts';
import { createCabledDatabase } from '../testing/postgres/database-cable.ts';
import { query } from '../testing/postgres/embedded.ts';
import { createBackgroundRenditions } from './background-renditions.ts';
import { createIdleGate } from './idle-gate.ts';

/** A decoder that decodes each picture when the test releases it. */
function heldDecoder() {
  const held: (() => void)[] = [];
  const pool: DecoderPool = {
    decode: () =>
      new Promise((resolve) => {
        held.push(() => resolve({ ok: false, failure: { code: 'EMPTY_FILE', detail: '' } }));
      }),
    close: async () => undefined,
  };
  return { pool, held };
}

type Make = (row: Pick<ImageRow, 'id'>, signal: AbortSignal) => Promise<unknown>;

const prefix = '00000000-0000-7000-8000-';
const idOf = (number: number) => `${prefix}${String(number).padStart(12, '0')}`;

/** Inserts images with due renditions, the newest last. @returns their ids */
async function insertDue(url: string, count: number): Promise<string[]> {
  await query(
    url,
    `with owner as (insert into users (id, username, username_key, email, email_key, password_hash)
       values (gen_random_uuid(), 'owner', 'owner', 'o@example.com', 'o@example.com', 'x') returning id)
     insert into images (id, owner_id, link_key, filename, search_name, extension, content_type, size, sha256, width, height, placeholder)
     select ('${prefix}' || lpad(n::text, 12, '0'))::uuid, owner.id, 'key' || n, 'a.png', 'a.png', 'png', 'image/png', 1, 'x', 1, 1, ''
     from owner, generate_series(1, ${count}) n`,
  );
  return Array.from({ length: count }, (_, index) => idOf(index + 1));
}

const dueOf = async (url: string) =>
  (await query(url, 'select id from images where renditions_due order by id')).map(({ id }) => id as string);

const markMade = (url: string, id: string) => query(url, `update images set renditions_due = false where id = '${id}'`);

/** @param make the renditions, which are then no longer due @param direct the URL at which the test uses the database */
function processOf(t: Test, url: string, make: Make, direct = url) {
  const { db, close } = connect(url, { max: 3 });
  const idleGate = createIdleGate(0);
  const { pool, held } = heldDecoder();
  const decoder = createDecoder(pool);
  decoder.subscribe(idleGate.listener);
  const logged: string[] = [];
  const note = (_details: object, message: string) => void logged.push(message);
  const background = createBackgroundRenditions({
    db,
    idleGate,
    make: async (row, signal) => {
      await make(row, signal);
      await markMade(direct, row.id);
    },
    log: { warn: note, error: note },
    pollEvery: 50,
  });
  const end = async () => {
    background.stop();
    idleGate.close();
    await background.close();
  };
  t.teardown(async () => {
    await end();
    await close();
  });
  return { background, decoder, held, logged, end };
}

async function begin(t: Test, count: number, make: Make) {
  const { url } = await createTestDatabase(t);
  const ids = await insertDue(url, count);
  return { url, ids, ...processOf(t, url, make) };
}

const untilAborted = (signal: AbortSignal) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });

const noneDue = (url: string) => eventually('no renditions are due', async () => (await dueOf(url)).length === 0);

const attemptsOf = (url: string) =>
  query(
    url,
    'select content_id, tries, leased_until > now() as leased, next_at > now() as rests from rendition_attempts',
  );

/** Seconds until the next attempt. */
const restOf = async (url: string) =>
  Number((await query(url, 'select extract(epoch from next_at - now()) as rest from rendition_attempts'))[0]?.rest);

t.test('background renditions wait until the decoder is idle, and then start with the newest', async (t) => {
  const made: string[] = [];
  const { url, ids, background, decoder, held } = await begin(t, 3, async ({ id }) => made.push(id));
  const decoding = decoder.decode('somebody’s');
  background.start();
  background.wake();
  t.same(made, []);
  held[0]?.();
  await decoding;
  await noneDue(url);
  t.same(made, ids.reverse());
  await eventually('no attempts are left', async () => (await attemptsOf(url)).length === 0);
});

t.test('a background rendition is aborted when an upload needs the decoder, and made again afterwards', async (t) => {
  const begun: string[] = [];
  const { url, background, decoder, held, logged } = await begin(t, 1, async ({ id }, signal) => {
    begun.push(id);
    if (begun.length < 8) await untilAborted(signal);
  });
  background.start();
  // More aborts than tries: an abort does not count as a failure.
  for (let time = 1; time < 8; time += 1) {
    await eventually(`attempt ${time} has begun`, () => begun.length === time);
    const decoding = decoder.decode('somebody’s');
    held[time - 1]?.();
    await decoding;
  }
  await noneDue(url);
  t.equal(begun.length, 8);
  t.same(logged, []);
});

t.test('a picture that cannot be decoded is retried later, then logged, and does not block others', async (t) => {
  let tries = 0;
  const { url, ids, background, logged } = await begin(t, 2, async ({ id }) => {
    if (id !== idOf(2)) return;
    tries += 1;
    throw new DamagedOriginal();
  });
  background.start();
  await eventually('the other picture is done', async () => (await dueOf(url)).length === 1);
  for (let time = 1; time <= 5; time += 1) {
    const failed = { content_id: ids[1], tries: time, leased: null, rests: true };
    await eventually(`failure ${time}`, async () => (await attemptsOf(url))[0]?.leased === null);
    t.same(await attemptsOf(url), [failed]);
    const rest = await restOf(url);
    const wanted = [60, 120, 240, 480, 86_400][time - 1] ?? 0;
    t.ok(rest > wanted - 30 && rest <= wanted, `${rest} seconds`);
    t.equal(tries, time, 'not retried at once');
    await query(url, 'update rendition_attempts set next_at = now()');
    await eventually(`attempt ${time + 1}`, () => tries === time + 1);
  }
  t.same(
    logged.filter((line) => line.includes('for good')),
    ['background renditions failed for good; retrying after a day'],
  );
  await eventually('the count begins again after a day', async () => (await attemptsOf(url))[0]?.tries === 1);
});

t.test('an attempt that is aborted or meets a failing storage keeps the count of earlier failures', async (t) => {
  const begun: (() => void)[] = [];
  const { url, ids, background, decoder, held } = await begin(t, 1, async (_row, signal) => {
    const failing = new Promise((_resolve, reject) => begun.push(() => reject(new StorageUnavailable())));
    await Promise.race([failing, untilAborted(signal)]);
  });
  await query(url, `insert into rendition_attempts values ('${ids[0]}', 3, null, now())`);
  background.start();
  await eventually('an attempt has begun', () => begun.length === 1);
  const decoding = decoder.decode('somebody’s');
  await eventually('the attempt is aborted', async () => (await attemptsOf(url))[0]?.leased !== true);
  t.match(await attemptsOf(url), [{ tries: 3, leased: null, rests: false }]);
  held[0]?.();
  await decoding;
  await eventually('another attempt has begun', () => begun.length === 2);
  t.match(await attemptsOf(url), [{ tries: 4, leased: true }]);
  begun[1]?.();
  await eventually('the attempt has ended', async () => (await attemptsOf(url))[0]?.leased !== true);
  t.match(await attemptsOf(url), [{ tries: 3, leased: null, rests: false }]);
});

t.test('a failure of the storage is logged and retried without limit', async (t) => {
  let failures = 0;
  const { url, background, logged } = await begin(t, 1, async () => {
    failures += 1;
    if (failures < 9) throw new StorageUnavailable();
  });
  background.start();
  await noneDue(url);
  t.same(logged, Array(8).fill('background renditions stopped at an error; retrying'));
});

t.test('several processes make each picture once', async (t) => {
  const made: string[] = [];
  const underWay = new Set<string>();
  const make: Make = async ({ id }) => {
    if (underWay.has(id)) t.fail('two processes make the same picture');
    underWay.add(id);
    // The first picture takes as long as all others.
    if (underWay.size === 1 && made.length === 0) await eventually('all others are made', () => made.length === 39);
    made.push(id);
  };
  const { url, background } = await begin(t, 40, make);
  const all = [background, ...[1, 2].map(() => processOf(t, url, make).background)];
  for (const one of all) one.start();
  await noneDue(url);
  t.equal(made.length, 40);
});

const never: Make = (_row, signal) => untilAborted(signal);

t.test('the picture of a killed process is made by another process when its lease expires', async (t) => {
  const { url, ids, background } = await begin(t, 2, never);
  background.start();
  await eventually('the attempt has begun', async () => (await attemptsOf(url)).length === 1);
  t.same(await attemptsOf(url), [{ content_id: ids[1], tries: 1, leased: true, rests: true }]);
  const lease = await restOf(url);
  t.ok(lease > 120 && lease <= 150, 'longer than an attempt may take');
  const made: string[] = [];
  processOf(t, url, async ({ id }) => made.push(id)).background.start();
  await eventually('the other picture is made', async () => (await dueOf(url)).length === 1);
  t.same(made, [ids[0]]);
  await query(url, 'update rendition_attempts set leased_until = now(), next_at = now()');
  await noneDue(url);
  t.same(made, ids);
});

t.test('a picture that killed five processes rests for a day', async (t) => {
  const { url, ids, background } = await begin(t, 2, never);
  await query(url, `insert into rendition_attempts values ('${ids[1]}', 4, now(), now())`);
  background.start();
  await eventually('the fifth attempt has begun', async () => (await attemptsOf(url))[0]?.tries === 5);
  t.ok((await restOf(url)) > 86_000);
  const made: string[] = [];
  processOf(t, url, async ({ id }) => made.push(id)).background.start();
  await eventually('the other picture is made', async () => (await dueOf(url)).length === 1);
  t.same(made, [ids[0]]);
});

t.test('a process that stops ends its attempt, and another process makes the picture', async (t) => {
  let begun = 0;
  const { url, background, end } = await begin(t, 1, async (_row, signal) => {
    begun += 1;
    await untilAborted(signal);
  });
  background.start();
  await eventually('the attempt has begun', () => begun === 1);
  await end();
  t.same(await attemptsOf(url), []);
  processOf(t, url, async () => undefined).background.start();
  await noneDue(url);
  t.equal(begun, 1);
});

t.test('images that share their bytes are made once', async (t) => {
  const made: string[] = [];
  const underWay: (() => void)[] = [];
  const make: Make = ({ id }) => {
    made.push(id);
    return new Promise((resolve) => underWay.push(() => resolve(undefined)));
  };
  const { url, ids, background } = await begin(t, 3, make);
  await query(url, `update images set content_id = '${ids[0]}' where id <> '${ids[0]}'`);
  const other = processOf(t, url, make);
  background.start();
  await eventually('the attempt has begun', () => made.length === 1);
  t.same(await attemptsOf(url), [{ content_id: ids[0], tries: 1, leased: true, rests: true }]);
  other.background.start();
  await query(url, 'update images set renditions_due = false');
  underWay[0]?.();
  await eventually('the attempt has ended', async () => (await attemptsOf(url)).length === 0);
  t.equal(made.length, 1);
});

t.test('background renditions continue after a database outage, and close() resolves during one', async (t) => {
  const cable = await createCabledDatabase(t);
  await insertDue(cable.direct, 2);
  const made: string[] = [];
  // The outage begins while the first picture is made.
  const make: Make = async ({ id }) => made.push(id) === 1 && cable.pull();
  const { background, end } = processOf(t, cable.url, make, cable.direct);
  background.start();
  await eventually('the first picture is made', async () => (await dueOf(cable.direct)).length === 1);
  await cable.plugIn();
  await noneDue(cable.direct);
  await cable.pull();
  await t.resolves(end());
});
