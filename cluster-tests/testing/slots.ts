/** Slots in which the program runs: each has a fixed port and one process at a time. */
import type { Test } from 'tap';
import { eventually } from '../../server/testing/eventually.ts';
import { freePort } from '../../server/testing/free-port.ts';
import { call } from '../../trust-tests/testing/call.ts';
import { createHome, type Living } from '../../trust-tests/testing/home.ts';

export type Slot = {
  origin: string;
  start(): Promise<void>;
  untilReady(): Promise<void>;
  /** Whether a process is running, even if it is not ready or about to end. */
  isUp(): boolean;
  /** Sends SIGKILL. */
  kill(): Promise<void>;
  /** Sends SIGTERM. @returns the exit code */
  stop(): Promise<number | null>;
};

type Environment = Record<string, string>;

const lives = ({ child }: Living) => child.exitCode === null && child.signalCode === null;

export async function createSlot(t: Test, dataDir: () => string, environment: Environment): Promise<Slot> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const { DATABASE_URL: databaseUrl } = environment;
  const home = await createHome(t, { ...environment, PORT: String(port) }, { databaseUrl });
  let process: Living | undefined;

  const untilReady = async () => {
    await eventually(`${origin} is ready`, async () => {
      const answer = await call(origin, '/api/health/ready').catch(() => undefined);
      return answer?.status === 200;
    });
  };

  function living(): Living {
    if (!process || !lives(process)) throw new Error(`no process listens at ${origin}`);
    return process;
  }

  return {
    origin,
    untilReady,
    isUp: () => process !== undefined && lives(process),
    async start() {
      process = await home.start({ DATA_DIR: dataDir() });
      await untilReady();
    },
    kill: async () => living().kill(),
    stop: async () => living().stop(),
  };
}
