/** An embedded cluster of versions before server-role.ts: a superuser without a password. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Address } from '../../database/address.ts';
import { openClient } from '../../database/client.ts';
import { findBinaries } from '../../database/embedded/binaries.ts';
import { chooseLauncher, commandOf, run } from '../../database/embedded/launcher.ts';
import { settings } from '../../database/embedded/settings.ts';
import { eventually } from '../eventually.ts';

type Test = { teardown(handler: () => unknown): void };

/** Starts the cluster in the folder, creating it if missing. It outlives the test process. */
export async function startTrustingCluster(
  t: Test,
  folder: string,
): Promise<{ address: Address; stop(): Promise<void> }> {
  const binaries = await findBinaries();
  const launcher = await chooseLauncher(binaries, folder);
  const cluster = join(folder, 'cluster');
  const host = join(folder, 'socket');
  mkdirSync(host, { recursive: true, mode: 0o700 });
  if (!existsSync(cluster)) {
    const args = ['--pgdata', cluster, '--username', 'postgres', '--encoding=UTF8', '--locale=C', '--auth=trust'];
    const { ok, output } = await run(launcher, binaries.initdb, [...args, '--no-sync', '--data-checksums']);
    if (!ok) throw new Error(output);
  }
  const address = { host, port: 5432, user: 'postgres', database: 'postgres' };
  const { command, args, options } = commandOf(launcher, binaries.postgres, ['-D', cluster, ...settings(address)]);
  const child = spawn(command, args, { ...options, detached: true, stdio: 'ignore' });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGINT');
    await ended;
  };
  t.teardown(() => {
    child.kill('SIGQUIT');
    return ended;
  });
  const sql = openClient(address, { max: 1 });
  await eventually('Postgres answers', () => {
    if (child.exitCode !== null) throw new Error('Postgres exited');
    return sql`select 1`.catch(() => undefined);
  });
  await sql.end({ timeout: 1 });
  return { address, stop };
}
