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

/** A group of slots; its work receives `given`, the connections of the group. */
type ConnectionGroup<Given> = { given: Given; slots: number };

type FairShareOptions<Given> = {
  shared: ConnectionGroup<Given>;
  /** For accounts that have used little, when the shared group is full. */
  reserved: ConnectionGroup<Given>;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
};

type CallOptions = {
  isGone?: () => boolean;
  /** Milliseconds; of an account by default. */
  budget?: number | undefined;
};

type OpenGroup<Given> = ConnectionGroup<Given> & { running: number };
type Turn<Given> = { account: Account<OpenGroup<Given>>; group: OpenGroup<Given> };

export function createFairShare<Given>({ now = () => performance.now(), ...groups }: FairShareOptions<Given>) {
  const shared = { ...groups.shared, running: 0 };
  const reserved = { ...groups.reserved, running: 0 };
  const accounts = createAccounts<OpenGroup<Given>>({ now, slots: shared.slots });
  const queued = new Set<Account<OpenGroup<Given>>>();

  /** The group in which the account's next call may run now. */
  function groupFor(account: Account<OpenGroup<Given>>): OpenGroup<Given> | undefined {
    if (!account.hasTurn()) return undefined;
    if (shared.running < shared.slots) return shared;
    const isModest = account.running.size === 0 && account.balance() > 0;
    return isModest && reserved.running < reserved.slots ? reserved : undefined;
  }

  /** The account that has used the least among those that may begin, and its group. */
  function next(): Turn<Given> | undefined {
    let first: Turn<Given> | undefined;
    for (const account of queued) {
      const group = groupFor(account);
      if (group && (!first || account.balance() > first.account.balance())) first = { account, group };
    }
    return first;
  }

  function beginNext(): void {
    for (let found = next(); found; found = next()) {
      const { account, group } = found;
      const call = account.waiting.shift();
      if (account.waiting.length === 0) queued.delete(account);
      if (call?.isGone()) call.refuse(new ClientGone());
      else if (call && now() - call.since > account.maxWait()) call.refuse(tooManyRequests(maxWait));
      else call?.begin(group);
    }
  }

  function waitForTurn(account: Account<OpenGroup<Given>>, isGone: () => boolean): Promise<Running<OpenGroup<Given>>> {
    return new Promise((resolve, reject) => {
      const begin = (group: OpenGroup<Given>) => {
        const call = { since: now(), group };
        group.running += 1;
        account.running.add(call);
        resolve(call);
      };
      account.waiting.push({ since: now(), isGone, begin, refuse: reject });
      queued.add(account);
      beginNext();
    });
  }

  function end(account: Account<OpenGroup<Given>>, call: Running<OpenGroup<Given>>): void {
    call.group.running -= 1;
    account.running.delete(call);
    account.spend(now() - call.since);
    beginNext();
  }

  /** @throws TooManyRequests if the call would wait too long; ClientGone */
  async function runFairly<T>(
    accountId: string,
    work: (given: Given) => Promise<T>,
    { isGone = () => false, budget }: CallOptions = {},
  ): Promise<T> {
    accounts.see(accountId);
    const account = accounts.get(accountId, budget);
    const wait = account.expectedWait();
    if (wait > account.maxWait()) throw tooManyRequests(wait);
    const call = await waitForTurn(account, isGone);
    try {
      return await work(call.group.given);
    } finally {
      end(account, call);
    }
  }

  return Object.assign(runFairly, { see: accounts.see });
}

const hasGone = ({ raw }: FastifyRequest): boolean => raw.socket.destroyed;

/** For work that the visitors of a link cause: it counts for the link, never for its owner, and less than an account's. */
export const forVisitors = (request: FastifyRequest) => ({ isGone: () => hasGone(request), budget: 300 });

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
