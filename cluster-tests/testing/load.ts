/** Several accounts with several clients each, which work until they are stopped. */
import { randomInt } from 'node:crypto';
import { type Account, newAccount, randomCredentials } from '../../trust-tests/testing/account.ts';
import { createLedger, type Ledger } from '../../trust-tests/testing/ledger.ts';
import { pictures } from '../../trust-tests/testing/load/storm.ts';
import { createClient } from './client.ts';
import type { Fault, Figures } from './figures.ts';
import type { Scene } from './scene.ts';

export type Holder = {
  account: Account;
  ledger: Ledger;
  /** Answers to the calls for a resumable upload, by file name. */
  traces: Map<string, string[]>;
};

export type Load = {
  holders: Holder[];
  /** Contradictions with earlier answers, one line each. */
  findings: string[];
  /** Calls through the proxy that failed in the rolling restart, with the reason. */
  failedCalls: string[];
  under(fault: Fault): void;
  /** Waits until every client has finished its call and every deleted link is dead or found alive. */
  stop(): Promise<void>;
  /** Restarts the same clients after a stop. */
  goOn(): void;
  abandon(): void;
};

/** @returns a random loopback address, since registrations per address and hour are limited */
const someAddress = () => `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`;

/** Clients per account. Readers are separate, so that an unanswered write does not delay them. */
const writers = 2;
const readers = 1;

const newHolders = (origin: string, accounts: number): Promise<Holder[]> =>
  Promise.all(
    Array.from({ length: accounts }, async () => ({
      account: await newAccount(origin, randomCredentials(), someAddress()),
      ledger: createLedger(),
      traces: new Map(),
    })),
  );

export async function startLoad(scene: Scene, figures: Figures, first: Fault, accounts = 3): Promise<Load> {
  const again = await pictures(2);
  const findings: string[] = [];
  const failedCalls: string[] = [];
  let fault = first;
  let stopped = true;
  let abandoned = false;
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
        // Else a client would repeat its call for ever, once the servers are gone.
        if (abandoned) throw new Error('the load was abandoned');
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

  const holders = await newHolders(scene.origin, accounts);
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
      abandoned = true;
    },
    async stop() {
      stopped = true;
      // The clients come first in the list and add nothing to it once they have ended.
      await Promise.all(running.slice(0, clients.length));
      await Promise.all(running);
    },
    goOn,
  };
}
