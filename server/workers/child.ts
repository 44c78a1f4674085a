/** One worker, from its fork to its exit. A failed fork counts as an exit, so the caller retries it. */
import cluster, { type Worker } from 'node:cluster';

export type Ended = { code: number | null; signal: string | null; reason: string };

export type Child = {
  /** Undefined if it could not be started. */
  pid: number | undefined;
  ended: Promise<Ended>;
  /** Resolves to undefined once it listens, or to its exit. */
  listens: Promise<Ended | undefined>;
  kill(signal: NodeJS.Signals): void;
  retire(): void;
};

/** The variable that gives a worker the number of its slot. Ids of workers are never reused; slots are. */
const slotVariable = 'WORKER_SLOT';

/** Whether a server logs the warnings that concern all workers: the only process, or the worker in the first slot. */
export const isFirstWorker = (environment: NodeJS.ProcessEnv): boolean => (environment[slotVariable] ?? '0') === '0';

function begin(slot: number): Worker | Error {
  try {
    return cluster.fork({ [slotVariable]: slot });
  } catch (error) {
    return error as Error;
  }
}

const unstarted = ({ message }: Error): Ended => ({ code: null, signal: null, reason: message });

export function fork(slot: number): Child {
  const worker = begin(slot);
  if (worker instanceof Error) {
    const ended = Promise.resolve(unstarted(worker));
    return { pid: undefined, ended, listens: ended, kill: () => undefined, retire: () => undefined };
  }
  const { pid } = worker.process;
  const ended = new Promise<Ended>((resolve) => {
    worker.once('exit', (code, signal) => resolve({ code, signal, reason: signal ?? `exit code ${code}` }));
    // For a running worker this only reports messages that were not delivered.
    worker.on('error', (error) => pid === undefined && resolve(unstarted(error)));
  });
  // Not `worker.kill`, which cuts the channel first: a worker takes that for the primary's end.
  const kill = (signal: NodeJS.Signals) => void worker.process.kill(signal);
  let isListening = false;
  const listening = new Promise<undefined>((resolve) => {
    worker.once('listening', () => {
      isListening = true;
      resolve(undefined);
    });
  });
  return {
    pid,
    ended,
    listens: Promise.race([listening, ended]),
    kill,
    retire() {
      // A worker that is still starting may not receive messages yet, and has no requests.
      if (!isListening) kill('SIGTERM');
      else if (worker.isConnected()) worker.send('retire', () => undefined);
    },
  };
}
