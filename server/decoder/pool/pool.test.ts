import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { truncate } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import sharp from 'sharp';
import t, { type Test } from 'tap';
import { eventually } from '../../testing/eventually.ts';
import { HEAVY, LIGHT, MEMORY_RESERVE } from '../core/limits.ts';
import { fileOf, LIMITS, photograph } from '../testing/pictures.ts';
import { isolationIn, withoutCage } from './choose-isolation.ts';
import { createDecoderPool, type DecoderPool, type DecoderPoolOptions } from './pool.ts';
import { processorMs, residentBytes } from './process-costs.ts';
import { SLOT_DESCRIPTOR } from './slot.ts';

/** A pool without isolation, whose choice would take a trial. */
type PoolOptions = Partial<DecoderPoolOptions> & { onStart?: (path: string, pid: number) => void };

function poolFor(t: Test, { onStart = () => {}, ...options }: PoolOptions = {}): DecoderPool {
  const isolation = async () => withoutCage;
  const pool = createDecoderPool({ limits: LIMITS, workers: 1, isolation, ...options });
  t.teardown(() => pool.close());
  return {
    ...pool,
    decode: (path, options) => pool.decode(path, { ...options, onStart: (pid) => onStart(path, pid) }),
  };
}

/** An SVG that takes a fast machine eight seconds and is then rejected. */
function slowSvg(): string {
  const uses = (id: number) => `<use href="#a${id}"/>`.repeat(10);
  const groups = Array.from({ length: 9 }, (_, i) => `<g id="a${i + 1}">${uses(i)}</g>`).join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><defs><g id="a0"><rect width="200" height="200" fill-opacity=".5"/></g>${groups}</defs>${uses(9)}</svg>`;
}

const linux = existsSync('/proc/self/status');

async function hasWorked(pid: number): Promise<void> {
  const before = processorMs(pid) ?? 0;
  await eventually('the decoder has used 200 ms', () => (processorMs(pid) ?? 0) >= before + 200);
}

const light = await photograph(60, 40).jpeg().toBuffer();

const begun: { path: string; pid: number }[] = [];
const shared = poolFor(t, { isolation: isolationIn(tmpdir()), onStart: (path, pid) => begun.push({ path, pid }) });

t.test('a picture is decoded in another process, which returns its renditions', async (t) => {
  const path = await fileOf(t, await photograph(900, 600).jpeg().toBuffer(), 'any name.at-all');
  const outcome = await shared.decode(path);
  t.match(outcome, { ok: true, image: { width: 900, height: 600, contentType: 'image/jpeg', extension: 'jpg' } });
  t.ok(outcome.ok && Buffer.isBuffer(outcome.image.thumbnail));
  const pid = begun.at(-1)?.pid ?? 0;
  t.ok(pid !== process.pid && pid > 0);
});

for (const workers of [1, 2]) {
  t.test(
    `each picture is decoded once, within the limit of workers, and in order if there is one: ${workers}`,
    async (t) => {
      const started: string[] = [];
      const pids = new Set<number>();
      const pool = poolFor(t, {
        workers,
        onStart: (path, pid) => {
          started.push(path);
          pids.add(pid);
        },
      });
      const paths = await Promise.all(Array.from({ length: 12 }, (_, i) => fileOf(t, light, `${i}`)));
      const outcomes = await Promise.all(paths.map((path) => pool.decode(path)));
      t.ok(outcomes.every((outcome) => outcome.ok));
      // Two workers may begin their next pictures in either order.
      t.strictSame(workers === 1 ? started : started.toSorted(), workers === 1 ? paths : paths.toSorted());
      t.ok(pids.size <= workers);
    },
  );
}

/** Encoding its renditions takes longer than copying a small picture. */
const large = await photograph(800, 600).jpeg().toBuffer();
const slowly = { wanted: { screen: true, avif: true } };

/** Whether a decoder without a cage has a copy of these bytes. */
const holds = (pid: number, bytes: Buffer) => readFileSync(`/proc/${pid}/fd/${SLOT_DESCRIPTOR}`).equals(bytes);

type Begun = { path: string; pid: number };

function begunIn(t: Test, options: PoolOptions = {}) {
  const begun: Begun[] = [];
  const pool = poolFor(t, { ...options, onStart: (path, pid) => begun.push({ path, pid }) });
  const paths = () => begun.map(({ path }) => path);
  return { pool, begun, paths };
}

t.test(
  'the next picture is copied while renditions are made, and can still be aborted',
  { skip: !linux },
  async (t) => {
    const { pool, begun, paths } = begunIn(t);
    const [busy, next] = await Promise.all([fileOf(t, large, 'busy'), fileOf(t, light, 'next')]);
    let running = true;
    const first = pool.decode(busy, slowly).finally(() => {
      running = false;
    });
    const gone = new AbortController();
    const aborted = t.rejects(pool.decode(next, { signal: gone.signal }), /gone/);
    await eventually('the next picture is copied', () => begun.some(({ pid }) => holds(pid, light)));
    t.ok(running, 'the first is still being encoded');
    gone.abort(new Error('gone'));
    await aborted;
    t.match(await first, { ok: true });
    t.strictSame(paths(), [busy]);
    t.match(await pool.decode(busy), { ok: true, image: { width: 800 } });
  },
);

t.test('a picture of another account is not copied meanwhile', { skip: !linux }, async (t) => {
  const { pool, begun } = begunIn(t);
  const [busy, next] = await Promise.all([fileOf(t, large, 'busy'), fileOf(t, light, 'next')]);
  const first = pool.decode(busy, { ...slowly, owner: 'a' }).then(() => begun.some(({ pid }) => holds(pid, light)));
  const second = pool.decode(next, { owner: 'b' });
  t.notOk(await first);
  t.match(await second, { ok: true });
});

t.test('a copied picture goes to a decoder that is free earlier', { skip: !linux }, async (t) => {
  const { pool, begun, paths } = begunIn(t, { workers: 2 });
  const busy = await Promise.all(['1', '2'].map((name) => fileOf(t, large, name)));
  const next = await fileOf(t, light, 'next');
  const both = Promise.all(busy.map((path) => pool.decode(path, slowly)));
  await eventually('both decoders work', () => begun.length === 2);
  const third = pool.decode(next);
  const copier = () => begun.find(({ pid }) => holds(pid, light))?.pid ?? 0;
  await eventually('the next picture is copied', () => copier() > 0);
  const stopped = copier();
  process.kill(stopped, 'SIGSTOP');
  t.match(await third, { ok: true, image: { width: 60 } });
  t.not(begun.at(-1)?.pid, stopped);
  process.kill(stopped, 'SIGCONT');
  t.ok((await both).every(({ ok }) => ok));
  t.strictSame(paths(), [...busy, next]);
});

t.test('a copied picture outlives its decoder', { skip: !linux }, async (t) => {
  const { pool, begun, paths } = begunIn(t);
  const [busy, next] = await Promise.all([fileOf(t, large, 'busy'), fileOf(t, light, 'next')]);
  const first = pool.decode(busy, slowly);
  const second = pool.decode(next);
  await eventually('the next picture is copied', () => begun.some(({ pid }) => holds(pid, light)));
  process.kill(begun[0]?.pid ?? 0, 'SIGKILL');
  t.match(await first, { ok: false });
  t.match(await second, { ok: true, image: { width: 60 } });
  t.strictSame(paths(), [busy, next]);
  t.not(begun[0]?.pid, begun[1]?.pid);
});

t.test('a picture that takes too long does not affect the next one', async (t) => {
  const pool = poolFor(t, { limits: { ...LIMITS, timeoutMs: 1_000 } });
  const slow = await fileOf(t, slowSvg());
  const good = await fileOf(t, light);
  const [first, second] = await Promise.all([pool.decode(slow), pool.decode(good)]);
  t.strictSame(first, { ok: false, failure: { code: 'DAMAGED_IMAGE', detail: 'decoding it took too long' } });
  t.match(second, { ok: true });
});

t.test(
  'a picture whose decoder dies is damaged, and a new decoder handles the next one',
  { skip: !linux },
  async (t) => {
    const pids: number[] = [];
    const started = deferred<number>();
    const pool = poolFor(t, {
      onStart: (_, pid) => {
        pids.push(pid);
        started.resolve(pid);
      },
    });
    const good = await fileOf(t, light);
    const both = Promise.all([pool.decode(await fileOf(t, slowSvg())), pool.decode(good)]);
    const pid = await started.promise;
    await hasWorked(pid);
    process.kill(pid, 'SIGSEGV');
    const [first, second] = await both;
    t.match(first, { ok: false, failure: { code: 'DAMAGED_IMAGE', detail: 'its data made the decoder stop' } });
    t.match(second, { ok: true });
    t.not(pids[0], pids[1]);
  },
);

t.test('a picture whose decoder the kernel kills for lack of memory is not damaged', { skip: !linux }, async (t) => {
  const started = deferred<number>();
  const pool = poolFor(t, { onStart: (_, pid) => started.resolve(pid) });
  const outcome = pool.decode(await fileOf(t, slowSvg()));
  const pid = await started.promise;
  await hasWorked(pid);
  process.kill(pid, 'SIGKILL');
  const detail = 'decoding it needs more memory than the server has left';
  t.match(await outcome, { ok: false, failure: { code: 'TOO_MUCH_MEMORY', detail } });
});

t.test('a picture whose decoder dies during the copy goes to another decoder', { skip: !linux }, async (t) => {
  const pids: number[] = [];
  const pool = poolFor(t, {
    onStart: (_, pid) => {
      pids.push(pid);
      if (pids.length > 1) return;
      process.kill(pid, 'SIGKILL');
      // The decoder has ended before the copy begins, with all its threads: its first one may end earlier.
      while (!/^State:\tZ(?:.|\n)*^Threads:\t1$/m.test(readFileSync(`/proc/${pid}/status`, 'latin1')));
    },
  });
  // Copying the padding takes many turns of the event loop; the decoder's exit is noticed in the first.
  const path = await fileOf(t, light);
  await truncate(path, 2 ** 24);
  t.match(await pool.decode(path), { ok: true });
  t.equal(new Set(pids).size, 2);
});

/** A picture that is held whole: 8 bytes per pixel. */
async function heavy(side: number): Promise<Buffer> {
  const flat = sharp({ create: { width: side, height: side, channels: 4, background: '#357' } });
  return flat.toColourspace('rgb16').png({ progressive: true, compressionLevel: 1 }).toBuffer();
}

t.test('with little memory, heavy pictures are rejected and light ones decoded', async (t) => {
  let room = LIGHT;
  const pool = poolFor(t, { memoryLeft: () => MEMORY_RESERVE + room });
  const path = await fileOf(t, await heavy(2000));
  const detail = 'decoding it needs more memory than the server has left';
  t.strictSame(await pool.decode(path), { ok: false, failure: { code: 'TOO_MUCH_MEMORY', detail } });
  const lightPath = await fileOf(t, light);
  t.match(await pool.decode(lightPath), { ok: true });
  room = 0;
  t.match(await pool.decode(lightPath), { ok: true });
  room = 2 * LIGHT;
  t.match(await pool.decode(path), { ok: true });
});

t.test(
  'a large decoder is stopped when memory runs out, and the next picture is decoded',
  { skip: !linux },
  async (t) => {
    const pids: number[] = [];
    // Memory is sufficient when the picture is admitted and runs out while the decoder grows.
    const memoryLeft = () => (residentBytes(pids[0] ?? 0) > HEAVY ? 0 : 1e9);
    const pool = poolFor(t, { memoryLeft, onStart: (_, pid) => pids.push(pid) });
    const [first, second] = await Promise.all([
      pool.decode(await fileOf(t, await heavy(4000))),
      pool.decode(await fileOf(t, light)),
    ]);
    const detail = 'decoding it needs more memory than the server has left';
    t.strictSame(first, { ok: false, failure: { code: 'TOO_MUCH_MEMORY', detail } });
    t.match(second, { ok: true });
    t.not(pids[0], pids[1]);
  },
);

t.test('an unreadable file is a fault, not a damaged picture', async (t) => {
  await t.rejects(shared.decode('/nowhere/at/all'), /ENOENT/);
});

t.test('a decoder that cannot be started is a fault, not a damaged picture', { skip: !linux }, async (t) => {
  const pool = poolFor(t);
  const { execPath } = process;
  process.execPath = '/nowhere/node';
  t.teardown(() => {
    process.execPath = execPath;
  });
  await t.rejects(pool.decode(await fileOf(t, 'GIF89a')), /ENOENT/);
  process.execPath = execPath;
  t.match(await pool.decode(await fileOf(t, 'GIF89a')), { ok: false }, 'the next picture starts another attempt');
});

t.test('closing the pool ends its workers and rejects pending pictures', async (t) => {
  const started = deferred<number>();
  const pool = poolFor(t, { onStart: (_, pid) => started.resolve(pid) });
  const running = pool.decode(await fileOf(t, slowSvg()));
  const waiting = pool.decode(await fileOf(t, slowSvg()));
  const refused = Promise.all([t.rejects(running, /closed/), t.rejects(waiting, /closed/)]);
  const pid = await started.promise;
  await pool.close();
  await refused;
  t.throws(() => process.kill(pid, 0), /ESRCH/, 'the process is gone');
  await t.rejects(pool.decode('/any'), /closed/);
  await pool.close();
});

function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

t.test('closing the pool while a worker starts leaves no worker', async (t) => {
  const pool = poolFor(t);
  const refused = t.rejects(pool.decode(await fileOf(t, slowSvg())), /closed/);
  await pool.close();
  await refused;
});

t.test('an idle worker is reused, then ended', { skip: !linux }, async (t) => {
  const pids: number[] = [];
  const pool = poolFor(t, { idleMs: 50, onStart: (_, pid) => pids.push(pid) });
  const path = await fileOf(t, light);
  await pool.decode(path);
  await pool.decode(path);
  t.equal(pids[0], pids[1]);
  await eventually('the worker has ended', () => !existsSync(`/proc/${pids[0]}`));
  t.match(await pool.decode(path), { ok: true }, 'another one starts for the next picture');
  t.not(pids[2], pids[0]);
});

for (const { nice, times } of [
  { nice: 0, times: 1.2 },
  { nice: 5, times: 6 },
]) {
  t.test(
    `a decoder with nice ${nice} may wait for the processor ${times} times as long as its limit`,
    { skip: !linux },
    async (t) => {
      const limits = { ...LIMITS, timeoutMs: 500 };
      const pool = poolFor(t, {
        limits,
        nice,
        onStart: (_, pid) => {
          process.kill(pid, 'SIGSTOP');
          setTimeout(() => process.kill(pid, 'SIGCONT'), limits.timeoutMs * times);
        },
      });
      t.match(await pool.decode(await fileOf(t, light)), { ok: true });
    },
  );
}

t.test('a decoder that hangs is stopped', { skip: !linux }, async (t) => {
  const pool = poolFor(t, {
    limits: { ...LIMITS, timeoutMs: 200 },
    nice: 0,
    onStart: (_, pid) => process.kill(pid, 'SIGSTOP'),
  });
  const outcome = await pool.decode(await fileOf(t, light));
  t.match(outcome, { ok: false, failure: { detail: 'decoding it took too long' } });
});

t.test('the server responds while a picture is decoded', { skip: !linux }, async (t) => {
  const server = createServer((_, response) => response.end('here')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const started = deferred<number>();
  const pool = poolFor(t, { onStart: (_, pid) => started.resolve(pid) });
  let decoding = true;
  const decoded = pool.decode(await fileOf(t, slowSvg())).finally(() => {
    decoding = false;
  });
  const broken = t.rejects(decoded, /closed/);
  await hasWorked(await started.promise);
  for (let answers = 0; answers < 5; answers += 1) t.equal(await (await fetch(url)).text(), 'here');
  t.ok(decoding);
  await pool.close();
  await broken;
});

t.test('a worker inherits no secrets from its parent', { skip: !linux }, async (t) => {
  process.env.JWT_SECRET = 'not for decoders';
  t.teardown(() => {
    delete process.env.JWT_SECRET;
  });
  let environment = '';
  const pool = poolFor(t, {
    onStart: (_, pid) => {
      environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
    },
  });
  await pool.decode(await fileOf(t, 'GIF89a'));
  t.match(environment, /VIPS_BLOCK_UNTRUSTED=1/);
  t.notMatch(environment, /JWT_SECRET/);
});

const openingPool = `
  import { withoutCage } from ${JSON.stringify(new URL('./choose-isolation.js', import.meta.url).href)};
  import { createDecoderPool } from ${JSON.stringify(new URL('./pool.js', import.meta.url).href)};
  const limits = ${JSON.stringify(LIMITS)};
  const isolation = async () => withoutCage;
`;

t.test('workers end when their parent is killed', { skip: !linux }, async (t) => {
  const script = `
    ${openingPool}
    const pool = createDecoderPool({ limits, isolation, workers: 1 });
    pool.decode(${JSON.stringify(await fileOf(t, slowSvg()))}, { onStart: (pid) => console.log(pid) });
  `;
  const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [pid] = await once(parent.stdout, 'data');
  const worker = Number(String(pid).trim());
  t.ok(existsSync(`/proc/${worker}`));
  parent.kill('SIGKILL');
  await eventually('the worker has ended', () => !existsSync(`/proc/${worker}`));
  t.pass('gone');
});

t.test('an idle pool does not keep the process alive', async (t) => {
  const path = await fileOf(t, light);
  const script = `
    ${openingPool}
    const pool = createDecoderPool({ limits, isolation, idleMs: 600000 });
    console.log((await pool.decode(${JSON.stringify(path)})).ok);
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output: string[] = [];
  child.stdout.on('data', (text) => output.push(String(text)));
  const [code] = await once(child, 'close');
  t.equal(code, 0);
  t.equal(output.join('').trim(), 'true');
});

t.test('one picture of another owner precedes the rest of many', async (t) => {
  const many = await Promise.all(Array.from({ length: 6 }, (_, i) => fileOf(t, light, `many-${i}`)));
  const single = await fileOf(t, light, 'single');
  const before = begun.length;
  const outcomes = many.map((path) => shared.decode(path, { owner: 'many' }));
  await Promise.all([...outcomes, shared.decode(single, { owner: 'single' })]);
  const started = begun.slice(before).map(({ path }) => path);
  t.ok(started.indexOf(single) <= 2, started.map((path) => path.split('/').at(-1)).join(' '));
});

for (const together of [true, false]) {
  const when = together ? 'while others wait' : 'sequentially';
  t.test(`after a failed trial, a decoder without a cage decodes one picture: ${when}`, { skip: !linux }, async (t) => {
    const pids: number[] = [];
    let choices = 0;
    const isolation = async () => {
      choices += 1;
      return { ...withoutCage, unsure: choices < 3 };
    };
    const pool = poolFor(t, { isolation, onStart: (_, pid) => pids.push(pid) });
    const path = await fileOf(t, light);
    const outcomes = together
      ? await Promise.all([1, 2, 3, 4].map(() => pool.decode(path)))
      : [await pool.decode(path), await pool.decode(path), await pool.decode(path), await pool.decode(path)];
    t.ok(outcomes.every(({ ok }) => ok));
    t.equal(new Set(pids.slice(0, 3)).size, 3, 'isolation is chosen again before each of the first three pictures');
    t.equal(choices, 3);
    t.equal(pids[3], pids[2], 'a decoder whose level is certain is used again');
    await eventually('the first two decoders have ended', () =>
      pids.slice(0, 2).every((pid) => !existsSync(`/proc/${pid}`)),
    );
  });
}
