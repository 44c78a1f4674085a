/** Runs the server as it ships: as a separate process with its own port and data folder. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Test } from 'tap';
import { temporaryFolder } from '../../server/testing/app.ts';
import { createTestDatabase } from '../../server/testing/postgres/database.ts';

const main = join(import.meta.dirname, '..', '..', 'program', 'main.js');

export type ServerProcess = {
  origin: string;
  pid: number;
  dataDir: string;
  databaseUrl: string;
  child: ChildProcess;
  /** @returns all output so far */
  output: () => string;
  /** The exit code; null if a signal ended it. */
  ended: Promise<number | null>;
};

export type Started = Pick<ServerProcess, 'child' | 'output' | 'ended'>;

// The command of npm start.
const usual = [process.execPath, '--max-semi-space-size=2', main];

/**
 * @param environment the whole environment, except PATH
 * @param command wraps the server's command, for example in `strace` or `prlimit`
 */
export function run(
  t: Pick<Test, 'teardown'>,
  environment: Record<string, string>,
  command: (server: readonly string[]) => readonly string[] = (server) => server,
): Started {
  const [program = process.execPath, ...words] = command(usual);
  // Tap's environment would make the program write coverage files.
  const child = spawn(program, words, { env: { PATH: process.env.PATH, ...environment } });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      text += chunk;
    });
  }
  const ended = once(child, 'close').then(([code]) => code as number | null);
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, output: () => text, ended };
}

/** @returns the origin that the server prints */
export async function listening({ child, output, ended }: Started): Promise<string> {
  for (;;) {
    const origin = /listening at (http:[^"\s]+)/i.exec(output())?.[1];
    if (origin !== undefined) return origin;
    const code = await Promise.race([once(child.stdout ?? child, 'data').then(() => undefined), ended]);
    if (code !== undefined) throw new Error(`the server ended with ${code}: ${output()}`);
  }
}

/** @param environment overrides; by default the server has a new database and no rate limits */
export async function startServer(t: Test, environment: Record<string, string> = {}): Promise<ServerProcess> {
  const dataDir = environment.DATA_DIR ?? (await temporaryFolder(t));
  const databaseUrl = environment.DATABASE_URL ?? (await createTestDatabase(t)).url;
  const started = run(t, {
    DATA_DIR: dataDir,
    DATABASE_URL: databaseUrl,
    PORT: '0',
    RATE_LIMIT: 'off',
    ...environment,
  });
  return { ...started, origin: await listening(started), pid: started.child.pid ?? 0, dataDir, databaseUrl };
}
