/** The places in which the program runs: each has a port that stays, and one process at a time. */
import type { Test } from 'tap';
import { eventually } from '../../server/testing/eventually.ts';
import { freePort } from '../../server/testing/free-port.ts';
import { call } from '../../trust-tests/testing/call.ts';
import { createHome, type Living } from '../../trust-tests/testing/home.ts';

export type Slot = {
  origin: string;
  /** Resolves once it is ready for calls. */
  start(): Promise<void>;
  /** Resolves once its process is ready for calls. */
  untilReady(): Promise<void>;
  /** Whether a process is there that listens or has listened: also one that is not ready, or about to end. */
  isUp(): boolean;
  /** By SIGKILL. */
  kill(): Promise<void>;
  /** By SIGTERM. @returns the exit code */
  stop(): Promise<number | null>;
};

type Environment = Record<string, string>;

const lives = ({ child }: Living) => child.exitCode === null && child.signalCode === null;

/**
 * @param dataDir asked before each start
 * @param environment of the process: its database, its storage, whom it believes
 */
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
