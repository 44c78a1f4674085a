import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { lock } from './lock.ts';

/** Ends a process that holds the lock, without letting it clean up. */
async function killHolder(t: Test, journal: string): Promise<void> {
  const code = `
    const { lock } = await import(${JSON.stringify(import.meta.resolve('./lock.js'))});
    await lock(${JSON.stringify(journal)});
    console.log('held');
    setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(() => void holder.kill('SIGKILL'));
  await once(holder.stdout, 'data');
  await t.rejects(lock(journal), { message: /^Another "gallery push"/ }, 'held by another process');
  holder.kill('SIGKILL');
  await once(holder, 'exit');
}

t.test('a lock that a killed process left is taken by one of several that start at once', async (t) => {
  // Short enough for the path of a socket, wherever TMPDIR is.
  const folder = await mkdtemp('/tmp/push-');
  t.teardown(() => rm(folder, { recursive: true }));
  const journal = join(folder, 'push.jsonl');
  await killHolder(t, journal);
  t.equal((await readdir(folder)).length, 1, 'a socket is left');
  const started = await Promise.allSettled(Array.from({ length: 4 }, () => lock(journal)));
  const held = started.filter((one) => one.status === 'fulfilled');
  t.ok(held.length <= 1, `${held.length} hold it`);
  for (const { value: unlock } of held) unlock();
  const unlock = await lock(journal);
  await t.rejects(lock(journal), { message: /^Another "gallery push"/ });
  unlock();
  t.same(await readdir(folder), [], 'nothing is left');
});
