/**
 * The database's time, shared among accounts. What accounts ask that may take long (lists, searches, names) runs on a few
 * connections, and none of them can take them all: an account has a budget of milliseconds, which one call after the other
 * never uses up. Once it is spent, and while others are there, the account's calls run one at a time; those that would wait
 * too long are refused. An account that is alone has nobody to leave time to. Budgets are those of one process.
 */
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { ClientDatabase } from '../../database/connect.ts';
import { ClientGone } from '../../errors.ts';
import { tooManyRequests } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Runs what is asked of an account on the connections for lists, when it is its turn; `see`: an account has called. */
    runFairly: FairShare;
  }
  interface FastifyRequest {
    /** The same for the account that calls, unless its client goes while the call waits. */
    runFairly<T>(work: (lists: ClientDatabase) => Promise<T>): Promise<T>;
  }
}

/** Work that runs at once in a lane, and what it is given: the connections of that lane. */
export type Lane<Given> = { given: Given; slots: number };

export type FairShareOptions<Given> = {
  /** For all. */
  shared: Lane<Given>;
  /** For accounts that have used little, where the others have filled the shared one. */
  reserved: Lane<Given>;
  /** Milliseconds, from any moment on. */
  now?: () => number;
};

/** Milliseconds that an account may use at once, beyond the one in each that it may always use. */
const burst = 3000;
/** Milliseconds of each call that cost nothing: an ordinary page takes less. */
const free = 10;
/** Milliseconds that a call waits at most before it begins; and of an account that is alone. */
const longestWait = 3000;
const longestWaitAlone = 10_000;
/** Milliseconds after the last call of any other account from which one is alone. */
const solitude = 2000;
/** Accounts in memory before those at rest are left out. */
const many = 1000;

export type CallOptions = {
  /** Nobody waits for the answer any more: asked before the call begins. */
  isGone?: () => boolean;
};

type Running<Given> = { since: number; lane: Lane<Given> };
type Waiting<Given> = Required<CallOptions> & {
  since: number;
  begin: (lane: Lane<Given>) => void;
  refuse: (error: Error) => void;
};

type Account<Given> = {
  id: string;
  /** Milliseconds left; below zero after more was used. */
  balance: number;
  /** When the balance was so. */
  at: number;
  running: Set<Running<Given>>;
  waiting: Waiting<Given>[];
  /** Milliseconds that its calls took lately; undefined before the first has ended. */
  usual: number | undefined;
};

/** Who called when: whether an account is alone. */
function createPresence(now: () => number) {
  let latest = { id: '', at: Number.NEGATIVE_INFINITY };
  /** Who called before the latest, of all others. */
  let previous = latest;
  return {
    see(id: string): void {
      if (latest.id !== id) {
        previous = latest;
        latest = { id, at: now() };
      } else latest.at = now();
    },
    isAlone: (id: string): boolean => now() - (latest.id === id ? previous : latest).at > solitude,
  };
}

export function createFairShare<Given>({ shared, reserved, now = () => performance.now() }: FairShareOptions<Given>) {
  const accounts = new Map<string, Account<Given>>();
  /** Those that wait for something. */
  const queued = new Set<Account<Given>>();
  const running = new Map([shared, reserved].map((lane) => [lane, 0]));
  const runningIn = (lane: Lane<Given>) => running.get(lane) ?? 0;
  const { see, isAlone } = createPresence(now);

  function accountOf(id: string): Account<Given> {
    const known = accounts.get(id);
    if (known) return known;
    const account = { id, balance: burst, at: now(), running: new Set<never>(), waiting: [], usual: undefined };
    accounts.set(id, account);
    return account;
  }

  function balanceOf(account: Account<Given>): number {
    const at = now();
    account.balance = Math.min(burst, account.balance + at - account.at);
    account.at = at;
    return account.balance;
  }

  /** How many of its calls may run at once. */
  const shareOf = (account: Account<Given>): number =>
    isAlone(account.id) || balanceOf(account) > 0 ? shared.slots : 1;

  /** Where its next call may run now. */
  function laneFor(account: Account<Given>): Lane<Given> | undefined {
    if (account.running.size >= shareOf(account)) return undefined;
    if (runningIn(shared) < shared.slots) return shared;
    const isModest = account.running.size === 0 && balanceOf(account) > 0;
    return isModest && runningIn(reserved) < reserved.slots ? reserved : undefined;
  }

  const longestWaitOf = (account: Account<Given>) => (isAlone(account.id) ? longestWaitAlone : longestWait);

  /** Milliseconds until one more call of the account would begin. */
  function expectedWait(account: Account<Given>): number {
    const share = shareOf(account);
    if (account.running.size < share) return 0;
    // What runs for long is known before it ends.
    const [first] = account.running;
    const each = Math.max(account.usual ?? 0, first ? now() - first.since : 0);
    const waiting = account.waiting.filter(({ isGone }) => !isGone());
    return ((waiting.length + 1) * each) / share;
  }

  /** Of those that may begin, the account that has used the least, and where. */
  function next(): { account: Account<Given>; lane: Lane<Given> } | undefined {
    let first: { account: Account<Given>; lane: Lane<Given> } | undefined;
    for (const account of queued) {
      const lane = laneFor(account);
      if (lane && (!first || account.balance > first.account.balance)) first = { account, lane };
    }
    return first;
  }

  function beginNext(): void {
    for (let found = next(); found; found = next()) {
      const { account, lane } = found;
      const call = account.waiting.shift();
      if (account.waiting.length === 0) queued.delete(account);
      if (call?.isGone()) call.refuse(new ClientGone());
      else if (call && now() - call.since > longestWaitOf(account)) call.refuse(tooManyRequests(longestWait));
      else call?.begin(lane);
    }
  }

  function forgetIdle(): void {
    if (accounts.size <= many) return;
    for (const [id, account] of accounts) {
      const isIdle = account.running.size === 0 && account.waiting.length === 0;
      if (isIdle && balanceOf(account) >= burst) accounts.delete(id);
    }
  }

  function turn(account: Account<Given>, isGone: () => boolean): Promise<Running<Given>> {
    return new Promise((resolve, reject) => {
      const begin = (lane: Lane<Given>) => {
        const call = { since: now(), lane };
        running.set(lane, runningIn(lane) + 1);
        account.running.add(call);
        resolve(call);
      };
      account.waiting.push({ since: now(), isGone, begin, refuse: reject });
      queued.add(account);
      beginNext();
    });
  }

  function end(account: Account<Given>, call: Running<Given>): void {
    const cost = now() - call.since;
    running.set(call.lane, runningIn(call.lane) - 1);
    account.running.delete(call);
    account.usual = (account.usual ?? cost) * 0.8 + cost * 0.2;
    account.balance = Math.max(-burst, balanceOf(account) - Math.max(0, cost - free));
    forgetIdle();
    beginNext();
  }

  /**
   * Runs a piece of work when it is the account's turn.
   * @param work is given its lane's connections
   * @throws TooManyRequests where the account has used up its time and more of its calls wait; ClientGone
   */
  async function runFairly<T>(
    accountId: string,
    work: (given: Given) => Promise<T>,
    { isGone = () => false }: CallOptions = {},
  ): Promise<T> {
    see(accountId);
    const account = accountOf(accountId);
    const wait = expectedWait(account);
    if (wait > longestWaitOf(account)) throw tooManyRequests(wait);
    const call = await turn(account, isGone);
    try {
      return await work(call.lane.given);
    } finally {
      end(account, call);
    }
  }

  return Object.assign(runFairly, { see });
}

/** Whether nobody is there for the answer. */
export const hasGone = ({ raw }: FastifyRequest): boolean => raw.socket.destroyed;

export type FairShare = ReturnType<typeof createFairShare<ClientDatabase>>;

/** On whether or not the numbers of calls are limited (RATE_LIMIT): it refuses no account that makes one call after the other. */
export const fairShare = fp<FairShareOptions<ClientDatabase>>(
  async (app, options) => {
    const runFairly = createFairShare(options);
    app.decorate('runFairly', runFairly);
    app.decorateRequest('runFairly', function (this: FastifyRequest, work) {
      return runFairly(this.account.id, work, { isGone: () => hasGone(this) });
    });
    // Whatever an account does, it is there.
    app.addHook('preHandler', ({ account }: { account?: { id: string } }, _reply, done) => {
      if (account) runFairly.see(account.id);
      done();
    });
  },
  { name: 'fair-share' },
);
