/** Several accounts, several clients each, at work until they are told to stop. */
import { randomInt } from 'node:crypto';
import { type Account, newAccount, randomCredentials } from '../../trust-tests/testing/account.ts';
import { createLedger, type Ledger } from '../../trust-tests/testing/ledger.ts';
import { pictures } from '../../trust-tests/testing/storm.ts';
import { createClient } from './client.ts';
import type { Fault, Figures } from './figures.ts';
import type { Scene } from './scene.ts';

export type Holder = {
  account: Account;
  ledger: Ledger;
  /** What the calls for a file sent in pieces were answered, by its name. */
  traces: Map<string, string[]>;
};

export type Load = {
  holders: Holder[];
  /** What contradicts what was answered before, one line each. */
  findings: string[];
  /** Calls through the proxy that failed in the rolling restart, and why. */
  failedCalls: string[];
  /** What is done to the cluster from now on. */
  under(fault: Fault): void;
  /** Lets every client end what it is at: each goes on until it is answered, and each deleted link is dead or found alive. */
  stop(): Promise<void>;
  /** After a stop: the same clients again. */
  goOn(): void;
  /** Lets them be. */
  abandon(): void;
};

/** Of this machine: from one address so many accounts come an hour. */
const someAddress = () => `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;

/** Of each account, those that write, and those that read: these are never held up by what is not answered. */
const writers = 2;
const readers = 1;

export async function startLoad(scene: Scene, figures: Figures, first: Fault, accounts = 3): Promise<Load> {
  const again = await pictures(2);
  const findings: string[] = [];
  const failedCalls: string[] = [];
  let fault = first;
  let stopped = true;
  let running: Promise<void>[] = [];
  const find = (what: string) => void findings.push(`${fault}: ${what}`);

  function clientOf({ account, ledger, traces }: Holder) {
    return createClient({
      origin: scene.origin,
      slots: scene.slots,
      account,
      ledger,
      again,
      fault: () => fault,
      count: (kind, isGood, during) => figures.count(during, kind, isGood),
      onFailed(kind, during, why) {
        if (during === 'rolling restart') failedCalls.push(`${new Date().toISOString()} ${kind}: ${why}`);
      },
      trace: (filename, what) =>
        traces.set(filename, [...(traces.get(filename) ?? []), `${new Date().toISOString().slice(14)} ${what}`]),
      onUpload(count) {
        figures.uploads += 1;
        figures.pictures += count;
      },
      beside: (work) => void running.push(work.catch((error: Error) => find(error.message))),
      onDeath(path, after) {
        if (after === Number.POSITIVE_INFINITY) {
          figures.livedOn += 1;
          find(`${path} was alive a second after its deletion`);
        } else figures.slowestDeath = Math.max(figures.slowestDeath, after ?? 0);
      },
      onLost(what) {
        figures.lost += 1;
        find(what);
      },
      onWrong: find,
    });
  }

  async function run(step: () => Promise<void>): Promise<void> {
    while (!stopped) await step().catch((error: Error) => find(error.message));
  }

  const holders = await Promise.all(
    Array.from({ length: accounts }, async () => ({
      account: await newAccount(scene.origin, randomCredentials(), someAddress()),
      ledger: createLedger(),
      traces: new Map(),
    })),
  );
  const clients = holders.flatMap((holder) => {
    const { read, write } = clientOf(holder);
    return [...Array(writers).fill(write), ...Array(readers).fill(read)];
  });
  function goOn(): void {
    stopped = false;
    running = clients.map(run);
  }

  goOn();
  return {
    holders,
    findings,
    failedCalls,
    under(next) {
      fault = next;
    },
    abandon() {
      stopped = true;
    },
    async stop() {
      stopped = true;
      // The clients stand first in it, and put nothing there once they have ended.
      await Promise.all(running.slice(0, clients.length));
      await Promise.all(running);
    },
    goOn,
  };
}
