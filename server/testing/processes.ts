/** Server and command processes, started as an administrator would. */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';

type Environment = Record<string, string>;

type Program = 'main' | 'admin';

/** The bundled program. From build/server/testing; it is in a folder beside it. */
export const programFolder = fileURLToPath(new URL('../../program', import.meta.url));

export type Running = {
  child: ChildProcess;
  /** Output so far. */
  stdout: () => string;
  stderr: () => string;
  /** Exit code, or null after a signal. */
  ended: Promise<number | null>;
};

/** The process is killed by SIGKILL if it outlives the test. */
export function startProcess(
  t: Test,
  program: Program,
  args: string[],
  env: Environment,
  folder = programFolder,
): Running {
  // `env -i` drops the variables by which tap slows children down and makes them write files.
  const variables = Object.entries({ PATH: process.env.PATH ?? '', ...env }).map(([name, value]) => `${name}=${value}`);
  return watchProcess(
    t,
    spawn('/usr/bin/env', ['-i', ...variables, process.execPath, join(folder, `${program}.js`), ...args]),
  );
}

/** Like `startProcess`, for a process started elsewhere. */
export function watchProcess(t: Test, child: ChildProcessWithoutNullStreams): Running {
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  }
  const ended = once(child, 'close').then(([code]) => code as number | null);
  t.teardown(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, stdout: () => texts.stdout, stderr: () => texts.stderr, ended };
}

export type Server = Running & { origin: string; stop(): Promise<number | null> };

/** A listening server on a free port, without rate limits. */
export async function startServer(t: Test, env: Environment, folder?: string): Promise<Server> {
  const running = startProcess(t, 'main', [], { PORT: '0', LOG_LEVEL: 'info', RATE_LIMIT: 'off', ...env }, folder);
  let origin: string | undefined;
  while (!origin) {
    origin = /listening at (http:\S+?)"/.exec(running.stdout())?.[1];
    if (origin) break;
    const ended = running.ended.then(() => {
      throw new Error(`the server ended: ${running.stdout()}${running.stderr()}`);
    });
    await Promise.race([once(running.child.stdout ?? running.child, 'data'), ended]);
  }
  const stop = () => {
    running.child.kill('SIGTERM');
    return running.ended;
  };
  return { ...running, origin, stop };
}

type Outcome = { code: number | null; stdout: string; stderr: string };

/** Runs a command of the administrator to its end. @param input its standard input, which is not a terminal */
export async function admin(t: Test, args: string[], env: Environment, input = ''): Promise<Outcome> {
  const running = startProcess(t, 'admin', args, env);
  running.child.stdin?.on('error', () => {}).end(input);
  const code = await running.ended;
  return { code, stdout: running.stdout(), stderr: running.stderr() };
}
