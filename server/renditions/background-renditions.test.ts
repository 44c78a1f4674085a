import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import type { ImageRow } from '../../drizzle/schema.ts';
import { createJobs } from '../background/jobs.ts';
import { connect } from '../database/connect.ts';
import { createDecoder } from '../decoder/decoder.ts';
import type { DecoderPool } from '../decoder/pool/pool.ts';
import { DamagedOriginal, StorageUnavailable } from '../errors.ts';
import { eventually } from '../testing/eventually.ts';
import { createTestDatabase } from '../testing/postgres/database.ts';
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

type Make = (row: ImageRow, signal: AbortSignal) => Promise<unknown>;

/** Images with due renditions by id, the newest last. */
type Due = Map<string, ImageRow>;

function dueOf(count: number): Due {
  const rows = Array.from({ length: count }, (_, index) => {
    const uploadedAt = new Date(Date.UTC(2026, 0, 1, 0, 0, index));
    return { id: randomUUID(), contentId: null, renditionsDue: true, uploadedAt } as ImageRow;
  });
  return new Map(rows.map((row) => [row.id, row]));
}

async function processOf(t: Test, url: string, due: Due, make: Make) {
  const { sql, close } = connect(url, { max: 3 });
  const idleGate = createIdleGate(0);
  const { pool, held } = heldDecoder();
  const decoder = createDecoder(pool);
  decoder.subscribe(idleGate.listener);
  const told: string[] = [];
  const tell = (_details: object, message: string) => void told.push(message);
  const jobs = createJobs({ client: sql, log: { info: tell, warn: tell, error: tell }, pollEvery: 50 });
  const behind = createBackgroundRenditions({
    idleGate,
    jobs,
    findDue: async (content) => due.get(content),
    dueBeside: async () => [...due.values()].map(({ id, uploadedAt }) => ({ content: id, uploadedAt })),
    make,
  });
  await jobs.start();
  const end = async () => {
    idleGate.close();
    await jobs.close();
  };
  t.teardown(async () => {
    await end();
    await close();
  });
  return { behind, jobs, sql, decoder, held, told, end };
}

async function stageOf(t: Test, count: number, make: (due: Due) => Make) {
  const { url } = await createTestDatabase(t);
  const due = dueOf(count);
  return { url, due, ...(await processOf(t, url, due, make(due))) };
}

t.test('background renditions wait until the decoder is idle, and then start with the newest', async (t) => {
  const made: string[] = [];
  const { due, behind, decoder, held } = await stageOf(t, 3, (due) => async ({ id }) => {
    made.push(id);
    due.delete(id);
  });
  const newestFirst = [...due.keys()].reverse();
  const asked = decoder.decode('somebody’s');
  await behind.queue([...due.values()]);
  t.same(made, []);
  held[0]?.();
  await asked;
  await eventually('no renditions are due', () => due.size === 0);
  t.same(made, newestFirst);
});

t.test('a background rendition is aborted when an upload needs the decoder, and made again afterwards', async (t) => {
  const seen: string[] = [];
  const { due, behind, jobs, decoder, held, told } = await stageOf(t, 1, (due) => async ({ id }, signal) => {
    seen.push(`begun ${id}`);
    if (seen.length < 8)
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    due.delete(id);
  });
  await behind.queue([...due.values()]);
  // More aborts than retries: an abort does not count as a failure.
  for (let time = 1; time < 8; time += 1) {
    await eventually(`attempt ${time} has begun`, () => seen.length === time);
    const asked = decoder.decode('somebody’s');
    held[time - 1]?.();
    await asked;
  }
  await eventually('no renditions are due', () => due.size === 0);
  t.equal(seen.length, 8);
  await eventually('the queue is empty', async () => (await jobs.depth('renditions')) === 0);
  t.same(told, []);
});

t.test('a picture that cannot be decoded is retried later, then logged, and does not block others', async (t) => {
  let tries = 0;
  const { due, behind, sql, told } = await stageOf(t, 2, (due) => async ({ id }) => {
    if (id === [...due.keys()].at(-1)) {
      tries += 1;
      throw new DamagedOriginal();
    }
    due.delete(id);
  });
  await behind.queue([...due.values()]);
  await eventually('one picture is done and the other has failed once', () => due.size === 1 && tries === 1);
  const state = async () => (await sql`select state::text from gallery_jobs.job where name = 'renditions'`)[0]?.state;
  for (let time = 2; time <= 5; time += 1) {
    await eventually('the job is due for a retry', async () => (await state()) === 'retry');
    t.equal(tries, time - 1, 'not retried at once');
    await sql`update gallery_jobs.job set start_after = now() - interval '1 second' where state = 'retry'`;
    await eventually(`attempt ${time}`, () => tries === time);
  }
  await eventually('the job has failed for good', () => told.some((line) => line.startsWith('a job failed for good')));
  t.equal(await state(), 'failed');
  await behind.findLost();
  await behind.queue([...due.values()]);
  t.equal(tries, 5, 'not tried again while the failed job is kept');
});

t.test('a failure of the storage is logged and retried without limit', async (t) => {
  let failures = 0;
  const { due, behind, told } = await stageOf(t, 1, (due) => async () => {
    failures += 1;
    if (failures < 9) throw new StorageUnavailable();
    due.clear();
  });
  await behind.queue([...due.values()]);
  await eventually('no renditions are due', () => due.size === 0);
  t.same(told, Array(8).fill('the queue "renditions" stopped at an error; retrying'));
});

t.test('several processes share the queue and make each picture once', async (t) => {
  const made: string[] = [];
  const underWay = new Set<string>();
  const make = (due: Due) => async (row: ImageRow) => {
    if (underWay.has(row.id)) t.fail('two processes make the same picture');
    underWay.add(row.id);
    // The first picture takes as long as all others.
    if (underWay.size === 1 && made.length === 0) await eventually('all others are made', () => made.length === 39);
    made.push(row.id);
    due.delete(row.id);
    underWay.delete(row.id);
  };
  const { url, due, behind } = await stageOf(t, 40, make);
  const others = await Promise.all([1, 2].map(() => processOf(t, url, due, make(due))));
  const rows = [...due.values()];
  await Promise.all([behind, ...others.map((one) => one.behind)].map((one) => one.queue(rows)));
  await Promise.all([behind, ...others.map((one) => one.behind)].map((one) => one.findLost()));
  await eventually('no renditions are due', () => due.size === 0);
  t.equal(made.length, 40);
});

t.test('the expired job of a killed process is taken by another process', async (t) => {
  const { url } = await createTestDatabase(t);
  const due = dueOf(1);
  let release = () => {};
  const never = await processOf(t, url, due, () => new Promise((resolve) => (release = () => resolve(undefined))));
  await never.behind.queue([...due.values()]);
  const { sql } = never;
  await eventually(
    'the job is active',
    async () => (await sql`select 1 from gallery_jobs.job where state = 'active'`).length === 1,
  );
  const made: string[] = [];
  const other = await processOf(t, url, due, async ({ id }) => {
    made.push(id);
    due.delete(id);
  });
  t.equal(await other.jobs.depth('renditions'), 1);
  t.same(made, []);
  await sql`update gallery_jobs.job set started_on = started_on - interval '1 hour', retry_delay = 0`;
  await other.jobs.maintain();
  await eventually('the other process has made the renditions', () => made.length === 1);
  release();
});

t.test('due renditions without a job are found and made', async (t) => {
  const made: string[] = [];
  const { due, behind } = await stageOf(t, 5, (due) => async ({ id }) => {
    made.push(id);
    due.delete(id);
  });
  await behind.findLost();
  await eventually('no renditions are due', () => due.size === 0);
  t.equal(made.length, 5);
});

t.test('a closing process returns its job to the queue, and another process takes it', async (t) => {
  let begun = 0;
  const { url, due, behind, end } = await stageOf(t, 1, () => async (_row, signal) => {
    begun += 1;
    await new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  });
  await behind.queue([...due.values()]);
  await eventually('the job has begun', () => begun === 1);
  await end();
  await processOf(t, url, due, async ({ id }) => due.delete(id));
  await eventually('no renditions are due', () => due.size === 0);
  t.equal(begun, 1);
});
