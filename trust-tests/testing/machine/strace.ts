/** Traces system calls of a running process, or makes them fail. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { temporaryFolder } from '../../../server/testing/app.ts';

export type Tracer = {
  /** Detaches from the process. */
  end(): Promise<void>;
  /** @returns the trace, a line for each call */
  lines(): string[];
};

type What = {
  /** For example `inject=fsync:error=EIO`. */
  expressions: string[];
  /** Whether to trace only the threads for file access, not the main thread. */
  fileThreads?: boolean;
  words?: string[];
};

/** Attaches to all current threads; threads for file access exist only after some work. */
export async function trace(
  t: Test,
  pid: number,
  { expressions, fileThreads = false, words = [] }: What,
): Promise<Tracer> {
  const output = join(await temporaryFolder(t), 'trace');
  const threads = readdirSync(`/proc/${pid}/task`)
    .map(Number)
    .filter((thread) => !fileThreads || thread !== pid);
  const child = spawn('strace', [
    ...threads.flatMap((thread) => ['-p', String(thread)]),
    ...expressions.flatMap((expression) => ['-e', expression]),
    ...words,
    ...['-o', output],
  ]);
  let said = '';
  const ended = once(child, 'close');
  const end = async () => {
    child.kill('SIGINT');
    // Strace may not detach from killed threads: then it is killed.
    const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
    await ended;
    clearTimeout(timer);
  };
  t.teardown(end);
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  while ((said.match(/attached/g) ?? []).length < threads.length) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`strace: ${said}`);
    await Promise.race([once(child.stderr, 'data'), ended]);
  }
  return { end, lines: () => readFileSync(output, 'utf8').split('\n').filter(Boolean) };
}
