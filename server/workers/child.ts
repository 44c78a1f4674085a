/** One worker, from its fork to its end. A fork that fails is one that has ended: whoever keeps it tries again. */
import cluster, { type Worker } from 'node:cluster';

export type Ended = { code: number | null; signal: string | null; reason: string };

export type Child = {
  /** Undefined where it could not be started. */
  pid: number | undefined;
  ended: Promise<Ended>;
  /** @returns why it does not listen, where it ended instead */
  listens: Promise<Ended | undefined>;
  tell(signal: NodeJS.Signals): void;
  retire(): void;
};

function begin(): Worker | Error {
  try {
    return cluster.fork();
  } catch (error) {
    return error as Error;
  }
}

const unstarted = ({ message }: Error): Ended => ({ code: null, signal: null, reason: message });

export function fork(): Child {
  const worker = begin();
  if (worker instanceof Error) {
    const ended = Promise.resolve(unstarted(worker));
    return { pid: undefined, ended, listens: ended, tell: () => undefined, retire: () => undefined };
  }
  const { pid } = worker.process;
  const ended = new Promise<Ended>((resolve) => {
    worker.once('exit', (code, signal) => resolve({ code, signal, reason: signal ?? `exit code ${code}` }));
    // Of one that runs it only tells what did not reach it.
    worker.on('error', (error) => pid === undefined && resolve(unstarted(error)));
  });
  const tell = (signal: NodeJS.Signals) => void worker.process.kill(signal);
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
    // Not `worker.kill`, which cuts the channel first: a worker takes that for the primary's end.
    tell,
    retire() {
      // One that is just beginning may not hear a word yet, and has nothing in flight.
      if (!isListening) tell('SIGTERM');
      else if (worker.isConnected()) worker.send('retire', () => undefined);
    },
  };
}
