/** The compiled server as users run it: a process, a port and a data folder of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Test } from 'tap';
import { temporaryFolder } from '../../server/testing/app.ts';
import { createTestDatabase } from '../../server/testing/database.ts';

const main = join(import.meta.dirname, '..', '..', 'server', 'main.js');

export type ServerProcess = {
  origin: string;
  pid: number;
  dataDir: string;
  databaseUrl: string;
  child: ChildProcess;
  /** All that it has said so far. */
  output: () => string;
  /** Its exit code; null where a signal ended it. */
  ended: Promise<number | null>;
};

type Started = Pick<ServerProcess, 'child' | 'output' | 'ended'>;

/** @param environment all that it is given, beside PATH */
export function run(t: Pick<Test, 'teardown'>, environment: Record<string, string>): Started {
  // What npm start runs it with; and nothing of tap's environment, which would make it write beside the program.
  const child = spawn(process.execPath, ['--max-semi-space-size=2', main], {
    env: { PATH: process.env.PATH, ...environment },
  });
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

/** @param environment overrides; the database is one of the test's own, rate limits are off */
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
  const { child, output, ended } = started;
  const listening = () => /listening at (http:[^"\s]+)/i.exec(output())?.[1];
  while (listening() === undefined) {
    const code = await Promise.race([once(child.stdout ?? child, 'data').then(() => undefined), ended]);
    if (code !== undefined) throw new Error(`the server ended with ${code}: ${output()}`);
  }
  return { ...started, origin: listening() ?? '', pid: child.pid ?? 0, dataDir, databaseUrl };
}
