import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseDatabaseUrl } from '../../database/address.ts';
import { openClient } from '../../database/client.ts';

type Test = { teardown(handler: () => unknown): void };
type Answer = { url?: string; refused?: string };
type Owner = {
  child: ChildProcess;
  answer: Promise<Answer>;
  /** URL of its database; throws if the process was refused. */
  url(): Promise<string>;
  ended: Promise<unknown>;
  kill(): Promise<void>;
};
type As = { uid?: number; gid?: number; path?: string | undefined };

/** A folder for one test, removed with a Postgres that may still run in it. */
export function temporaryFolder(t: Test, mode = 0o700): string {
  const folder = mkdtempSync(join(tmpdir(), 'gallery-db-'));
  chmodSync(folder, mode);
  t.teardown(() => {
    killPostmaster(folder);
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  });
  return folder;
}

/** Starts another process that owns the folder's database or is refused. */
export function startOwner(t: Test, folder: string, { path = process.env.PATH, ...as }: As = {}): Owner {
  const program = join(import.meta.dirname, 'embedded-owner.js');
  // `env -i` drops the variables by which tap makes children write files, here as another user.
  const child = spawn('/usr/bin/env', ['-i', `PATH=${path}`, process.execPath, program, folder], {
    ...as,
    cwd: '/',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, 'exit');
  const answer = new Promise<Answer>((resolve) => {
    lines.once('line', (line) => resolve(JSON.parse(line)));
    ended.then(([code, signal]) => resolve({ refused: `ended with ${code ?? signal}` }));
  });
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  t.teardown(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const url = async () => {
    const { url, refused } = await answer;
    if (!url) throw new Error(refused);
    return url;
  };
  return { child, answer, url, ended, kill };
}

export function postmasterPid(folder: string): number {
  return Number(readFileSync(join(folder, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

function killPostmaster(folder: string): void {
  for (const place of [folder, join(folder, 'postgres')]) {
    try {
      process.kill(postmasterPid(place), 'SIGQUIT');
    } catch {
      // No Postgres runs, as expected.
    }
  }
}

/** Runs one statement on a separate connection. */
export async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const sql = openClient(parseDatabaseUrl(url), { max: 1 });
  try {
    return [...(await sql.unsafe(statement))];
  } finally {
    await sql.end({ timeout: 5 });
  }
}
