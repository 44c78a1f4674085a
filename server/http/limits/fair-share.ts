/**
 * Shares the database connections for slow calls among accounts. Each has a budget of milliseconds per process, which
 * sequential calls never use up. Once spent, and while others are active, its calls run one at a time or are refused.
 */
import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { ClientDatabase } from '../../database/connect.ts';
import { ClientGone } from '../../errors.ts';
import { type Account, createAccounts, maxWait, type Running } from './account-usage.ts';
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
type Lane<Given> = { given: Given; slots: number };

type FairShareOptions<Given> = {
  shared: Lane<Given>;
  /** For accounts that have used little, when the shared lane is full. */
  reserved: Lane<Given>;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
};

type CallOptions = {
  isGone?: () => boolean;
};

type OpenLane<Given> = Lane<Given> & { running: number };
type Turn<Given> = { account: Account<OpenLane<Given>>; lane: OpenLane<Given> };

export function createFairShare<Given>({ now = () => performance.now(), ...lanes }: FairShareOptions<Given>) {
  const shared = { ...lanes.shared, running: 0 };
  const reserved = { ...lanes.reserved, running: 0 };
  const accounts = createAccounts<OpenLane<Given>>({ now, slots: shared.slots });
  const queued = new Set<Account<OpenLane<Given>>>();

  /** The lane in which the account's next call may run now. */
  function laneFor(account: Account<OpenLane<Given>>): OpenLane<Given> | undefined {
    if (!account.hasTurn()) return undefined;
    if (shared.running < shared.slots) return shared;
    const isModest = account.running.size === 0 && account.balance() > 0;
    return isModest && reserved.running < reserved.slots ? reserved : undefined;
  }

  /** The account that has used the least among those that may begin, and its lane. */
  function next(): Turn<Given> | undefined {
    let first: Turn<Given> | undefined;
    for (const account of queued) {
      const lane = laneFor(account);
      if (lane && (!first || account.balance() > first.account.balance())) first = { account, lane };
    }
    return first;
  }

  function beginNext(): void {
    for (let found = next(); found; found = next()) {
      const { account, lane } = found;
      const call = account.waiting.shift();
      if (account.waiting.length === 0) queued.delete(account);
      if (call?.isGone()) call.refuse(new ClientGone());
      else if (call && now() - call.since > account.maxWait()) call.refuse(tooManyRequests(maxWait));
      else call?.begin(lane);
    }
  }

  function waitForTurn(account: Account<OpenLane<Given>>, isGone: () => boolean): Promise<Running<OpenLane<Given>>> {
    return new Promise((resolve, reject) => {
      const begin = (lane: OpenLane<Given>) => {
        const call = { since: now(), lane };
        lane.running += 1;
        account.running.add(call);
        resolve(call);
      };
      account.waiting.push({ since: now(), isGone, begin, refuse: reject });
      queued.add(account);
      beginNext();
    });
  }

  function end(account: Account<OpenLane<Given>>, call: Running<OpenLane<Given>>): void {
    call.lane.running -= 1;
    account.running.delete(call);
    account.spend(now() - call.since);
    beginNext();
  }

  /** @throws TooManyRequests if the call would wait too long; ClientGone */
  async function runFairly<T>(
    accountId: string,
    work: (given: Given) => Promise<T>,
    { isGone = () => false }: CallOptions = {},
  ): Promise<T> {
    accounts.see(accountId);
    const account = accounts.get(accountId);
    const wait = account.expectedWait();
    if (wait > account.maxWait()) throw tooManyRequests(wait);
    const call = await waitForTurn(account, isGone);
    try {
      return await work(call.lane.given);
    } finally {
      end(account, call);
    }
  }

  return Object.assign(runFairly, { see: accounts.see });
}

export const hasGone = ({ raw }: FastifyRequest): boolean => raw.socket.destroyed;

type FairShare = ReturnType<typeof createFairShare<ClientDatabase>>;

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
