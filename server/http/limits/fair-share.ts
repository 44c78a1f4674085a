/**
 * Shares the database connections for slow calls (lists, searches, names) among accounts. Each account has a budget of
 * milliseconds per process, which sequential calls never use up. Once it is spent and others are active, the account's
 * calls run one at a time, and calls that would wait too long are refused.
 */
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { ClientDatabase } from '../../database/connect.ts';
import { ClientGone } from '../../errors.ts';
import { tooManyRequests } from './rate-limit.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Runs work of an account on a list connection when it is its turn; `see` marks the account as active. */
    runFairly: FairShare;
  }
  interface FastifyRequest {
    /** The same for the request's account; drops the call if its client disconnects while it waits. */
    runFairly<T>(work: (lists: ClientDatabase) => Promise<T>): Promise<T>;
  }
}

/** A group of slots; its work receives `given`, the connections of the lane. */
export type Lane<Given> = { given: Given; slots: number };

export type FairShareOptions<Given> = {
  shared: Lane<Given>;
  /** For accounts that have used little, when the shared lane is full. */
  reserved: Lane<Given>;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
};

/** Milliseconds of budget. It refills in real time, so one running call at a time is free. */
const burst = 3000;
/** Milliseconds of each call that are free; a usual page takes less. */
const free = 10;
/** Maximum milliseconds that a call waits before it begins. */
const longestWait = 3000;
const longestWaitAlone = 10_000;
/** Milliseconds without calls of other accounts after which an account is alone. */
const solitude = 2000;
/** Accounts in memory before idle ones are forgotten. */
const many = 1000;

export type CallOptions = {
  /** Whether the client has disconnected; checked before the call begins. */
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
  /** Milliseconds left; may be negative. */
  balance: number;
  /** Time of the balance. */
  at: number;
  running: Set<Running<Given>>;
  waiting: Waiting<Given>[];
  /** Moving average of its calls' milliseconds; undefined before the first has ended. */
  usual: number | undefined;
};

/** Tracks whether an account is alone. */
function createPresence(now: () => number) {
  let latest = { id: '', at: Number.NEGATIVE_INFINITY };
  /** The last call of any account other than the latest. */
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
  /** Accounts with waiting calls. */
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

  /** How many calls of the account may run at once. */
  const shareOf = (account: Account<Given>): number =>
    isAlone(account.id) || balanceOf(account) > 0 ? shared.slots : 1;

  /** The lane in which the account's next call may run now. */
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
    // A slow call counts before it ends.
    const [first] = account.running;
    const each = Math.max(account.usual ?? 0, first ? now() - first.since : 0);
    const waiting = account.waiting.filter(({ isGone }) => !isGone());
    return ((waiting.length + 1) * each) / share;
  }

  /** The account that has used the least among those that may begin, and its lane. */
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
   * Runs work when it is the account's turn.
   * @throws TooManyRequests if the call would wait too long; ClientGone
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

/** Whether the client has disconnected. */
export const hasGone = ({ raw }: FastifyRequest): boolean => raw.socket.destroyed;

export type FairShare = ReturnType<typeof createFairShare<ClientDatabase>>;

/** Active even when RATE_LIMIT is off, because it never refuses sequential calls. */
export const fairShare = fp<FairShareOptions<ClientDatabase>>(
  async (app, options) => {
    const runFairly = createFairShare(options);
    app.decorate('runFairly', runFairly);
    app.decorateRequest('runFairly', function (this: FastifyRequest, work) {
      return runFairly(this.account.id, work, { isGone: () => hasGone(this) });
    });
    // Any call marks the account as active.
    app.addHook('preHandler', ({ account }: { account?: { id: string } }, _reply, done) => {
      if (account) runFairly.see(account.id);
      done();
    });
  },
  { name: 'fair-share' },
);
