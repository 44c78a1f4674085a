import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRestartPauses } from './restart-pauses.ts';

/** Signals within this many milliseconds count as one. */
const oneSignal = 500;

/** A server that exits before it first listens is not restarted: a wrong variable is reported once. @returns the exit code */
export async function supervise(program: string): Promise<number> {
  let child: ChildProcess | undefined;
  const stopping = new AbortController();
  let lastSignal = Number.NEGATIVE_INFINITY;
  const stop = () => {
    // Ctrl-C arrives twice, from the terminal and from npm; only a later signal means "stop at once".
    if (performance.now() - lastSignal < oneSignal) return;
    lastSignal = performance.now();
    stopping.abort();
    child?.kill('SIGTERM');
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);

  const pauses = createRestartPauses();
  let hasListened = false;
  for (;;) {
    const born = Date.now();
    child = start(program).on('message', (message) => {
      if (message === 'listening') hasListened = true;
    });
    const { code, signal } = await exitOf(child);
    if (stopping.signal.aborted || code === 0 || !hasListened) return code ?? 1;
    const pause = pauses.next(Date.now() - born);
    console.error(`The server exited unexpectedly (${signal ?? `exit code ${code}`}); restarting it in ${pause} ms.`);
    await sleep(pause, undefined, { signal: stopping.signal }).catch(() => undefined);
    if (stopping.signal.aborted) return 0;
  }
}

function start(program: string): ChildProcess {
  return spawn(process.execPath, [...process.execArgv, program], {
    // Over the IPC channel, the server reports that it listens and notices when this process is gone.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

type Exit = { code: number | null; signal: NodeJS.Signals | null };

const exitOf = (child: ChildProcess): Promise<Exit> =>
  new Promise((resolve, reject) => {
    child.on('error', reject).on('exit', (code, signal) => resolve({ code, signal }));
  });
