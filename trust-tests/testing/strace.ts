/** System calls of a living process, watched or made to fail. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { temporaryFolder } from '../../server/testing/app.ts';

export type Tracer = {
  /** Lets go of the process. */
  end(): Promise<void>;
  /** What it saw, a line for each call. */
  lines(): string[];
};

type What = {
  /** `inject=fsync:error=EIO` and the like. */
  expressions: string[];
  /** Only the threads that work on files, not the one that speaks to clients. */
  fileThreads?: boolean;
  words?: string[];
};

/** Follows all threads that the process has; where it has none for files yet, let it work before. */
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
    // Where threads that were killed are not let go: then by its own end.
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
