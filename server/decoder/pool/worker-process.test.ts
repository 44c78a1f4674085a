import { readdirSync, readFileSync, statSync } from 'node:fs';
import { rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { eventually } from '../../testing/eventually.ts';
import { MEMORY_BUDGET } from '../core/limits.ts';
import { fileOf, LIMITS, photograph } from '../testing/pictures.ts';
import { chooseIsolation, withoutCage } from './choose-isolation.ts';
import { NODE_OPTIONS } from './decoder-process.ts';
import { createMemoryBudget } from './memory-budget.ts';
import { startWorker, type WorkerOptions } from './worker-process.ts';
import { createWorkers } from './workers.ts';

const linux = process.platform === 'linux';

async function workerFor(t: Test, options: Partial<WorkerOptions> = {}) {
  const worker = await startWorker({
    limits: LIMITS,
    budget: createMemoryBudget(MEMORY_BUDGET),
    nice: 0,
    room: () => Number.POSITIVE_INFINITY,
    launch: { level: 'process' },
    folder: tmpdir(),
    ...options,
  });
  t.teardown(worker.kill);
  return worker;
}

const entry = new URL('../testing/hostile-decoder.js', import.meta.url);
const need = (t: Test, memory: number) => fileOf(t, JSON.stringify([{ type: 'need', memory, timeoutMs: 1000 }]));

const jpegOf = async (t: Test, width: number) => fileOf(t, await photograph(width, 50).jpeg().toBuffer(), `${width}`);

t.test('a picture that was copied ahead is not read again', { skip: !linux }, async (t) => {
  const worker = await workerFor(t);
  const [first = '', second = '', third = ''] = await Promise.all([300, 200, 100].map((width) => jpegOf(t, width)));
  await worker.run(first, {}, () => worker.copyAhead(second));
  t.match(await worker.run(third, {}, () => worker.copyAhead(second)), { image: { width: 100 } }, 'another picture');
  await rm(second);
  t.match(await worker.run(second, {}), { image: { width: 200 } });
  await t.rejects(worker.run(second, {}), { code: 'ENOENT' });
});

t.test('a copy whose run does not come is erased where files are sealed', { skip: !linux }, async (t) => {
  const folder = t.testdir();
  const isolation = async () => withoutCage;
  const workers = createWorkers({ limits: LIMITS, isolation, folder, wipe: true });
  t.teardown(workers.close);
  const [first = '', second = '', third = ''] = await Promise.all([300, 200, 100].map((width) => jpegOf(t, width)));
  // Its copy takes longer than the renditions of the first.
  await truncate(second, 2 ** 27);
  const worker = await workers.acquire();
  await worker.run(first, {}, () => worker.copyAhead(second));
  workers.release(worker);
  const same = await workers.acquire();
  t.equal(same, worker);
  t.match(await same.run(third, {}, () => same.copyAhead(second)), { image: { width: 100 } }, 'erases no later copy');
  const size = () => statSync(join(folder, ...readdirSync(folder))).size;
  await eventually('the copy is complete', () => size() === statSync(second).size);
  workers.release(same);
  await eventually('the copy is erased', () => size() === 0);
});

t.test('a decoder that says twice that it has read its picture is killed', { skip: !linux }, async (t) => {
  const worker = await workerFor(t, { entry });
  const outcome = await worker.run(await fileOf(t, JSON.stringify([{ type: 'read' }, { type: 'read' }])), {});
  t.match(outcome, { ok: false, failure: { detail: 'its data made the decoder stop' } });
});

t.test('Node documents each option that a decoder is started with', async (t) => {
  const documented = process.allowedNodeEnvironmentFlags;
  t.same(
    NODE_OPTIONS.filter((option) => !documented.has(option.split('=')[0] ?? '')),
    [],
  );
});

/** The nice values of a process's threads: field 17 after the name. */
const niceValues = (pid: number) =>
  readdirSync(`/proc/${pid}/task`).map((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });

t.test('all threads of a decoder give way, with a cage and without', { skip: !linux }, async (t) => {
  const { launch } = await chooseIsolation(t.testdir());
  for (const isolation of [{ launch }, withoutCage]) {
    const worker = await workerFor(t, { launch: isolation.launch, nice: 7 });
    t.match(await worker.run(await jpegOf(t, 2000), {}), { ok: true });
    const values = niceValues(worker.pid);
    t.ok(values.length > 4, 'Node and libvips have started their threads');
    t.same(new Set(values), new Set([7]), isolation.launch.level);
  }
});

t.test('a decoder stays usable after photographs', { skip: !linux }, async (t) => {
  const worker = await workerFor(t);
  const taken = await fileOf(t, await photograph(4000, 3000).jpeg({ quality: 90 }).toBuffer());
  for (let times = 0; times < 30; times += 1) t.match(await worker.run(taken, {}), { ok: true });
  t.ok(worker.usable());
});

t.test('a decoder that requests more memory than any picture needs is killed', async (t) => {
  const worker = await workerFor(t, { entry });
  const outcome = await worker.run(await need(t, 2 * MEMORY_BUDGET), {});
  t.match(outcome, { ok: false, failure: { detail: 'its data made the decoder stop' } });
});

t.test('a decoder that works while it waits for memory is killed', { skip: !linux }, async (t) => {
  const budget = createMemoryBudget(1);
  budget.request().whenFree(1, () => {});
  const worker = await workerFor(t, { entry, budget });
  const outcome = await worker.run(await need(t, 1), {});
  t.match(outcome, { ok: false, failure: { detail: 'decoding it took too long' } });
});

t.test('a picture whose decoder ended earlier is not damaged', async (t) => {
  const worker = await workerFor(t);
  await worker.kill();
  await t.rejects(worker.run(await fileOf(t, 'GIF89a'), {}), /ended before it was given the picture/);
});
