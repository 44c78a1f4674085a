/** Milliseconds of an account's budget. It refills in real time, so one running call at a time is free. */
const accountBudget = 3000;
/** Milliseconds of each call that are free; a usual page takes less. */
const free = 10;
/** Maximum milliseconds that a call waits before it begins. */
export const maxWait = 3000;
const maxWaitAlone = 10_000;
/** Milliseconds without calls of other accounts after which an account is alone. */
const aloneAfter = 2000;
/** Accounts in memory before idle ones are forgotten. */
const maxAccounts = 1000;

export type Running<ConnectionGroup> = { since: number; group: ConnectionGroup };
type Waiting<ConnectionGroup> = {
  since: number;
  isGone: () => boolean;
  begin: (group: ConnectionGroup) => void;
  refuse: (error: Error) => void;
};

export type Account<ConnectionGroup> = ReturnType<typeof createAccount<ConnectionGroup>>;

type Parts = {
  now: () => number;
  /** Connections for an account with budget. */
  slots: number;
};

type Share = { isAlone: () => boolean; budget: number };

function createAccount<ConnectionGroup>({ now, slots, isAlone, budget }: Parts & Share) {
  const running = new Set<Running<ConnectionGroup>>();
  const waiting: Waiting<ConnectionGroup>[] = [];
  let balance = budget;
  let balancedAt = now();
  /** Moving average of its calls' milliseconds; undefined before the first has ended. */
  let average: number | undefined;

  /** Milliseconds left; may be negative. */
  function readBalance(): number {
    const at = now();
    balance = Math.min(budget, balance + at - balancedAt);
    balancedAt = at;
    return balance;
  }

  /** How many of its calls may run at once. */
  const share = (): number => (isAlone() || readBalance() > 0 ? slots : 1);

  return {
    running,
    waiting,
    balance: readBalance,
    hasTurn: (): boolean => running.size < share(),
    maxWait: (): number => (isAlone() ? maxWaitAlone : maxWait),

    /** Milliseconds until one more call would begin. */
    expectedWait(): number {
      const allowed = share();
      if (running.size < allowed) return 0;
      // A slow call counts before it ends.
      const [first] = running;
      const each = Math.max(average ?? 0, first ? now() - first.since : 0);
      return ((waiting.filter(({ isGone }) => !isGone()).length + 1) * each) / allowed;
    },

    spend(ms: number): void {
      average = (average ?? ms) * 0.8 + ms * 0.2;
      balance = Math.max(-budget, readBalance() - Math.max(0, ms - free));
    },

    isIdle: (): boolean => running.size === 0 && waiting.length === 0 && readBalance() >= budget,
  };
}

export function createAccounts<ConnectionGroup>({ now, slots }: Parts) {
  // Not an LRUCache: forgetting an account would refill its budget and lose its running calls. The bound is therefore soft.
  const accounts = new Map<string, Account<ConnectionGroup>>();
  let latest = { id: '', at: Number.NEGATIVE_INFINITY };
  /** The last call of any account other than the latest. */
  let previous = latest;

  const isAlone = (id: string) => now() - (latest.id === id ? previous : latest).at > aloneAfter;

  function forgetIdle(): void {
    for (const [id, account] of accounts) if (account.isIdle()) accounts.delete(id);
  }

  return {
    /** Marks an account as active. */
    see(id: string): void {
      if (latest.id !== id) {
        previous = latest;
        latest = { id, at: now() };
      } else latest.at = now();
    },

    get(id: string, budget = accountBudget): Account<ConnectionGroup> {
      const known = accounts.get(id);
      if (known) return known;
      if (accounts.size >= maxAccounts) forgetIdle();
      const account = createAccount<ConnectionGroup>({ now, slots, isAlone: () => isAlone(id), budget });
      accounts.set(id, account);
      return account;
    },
  };
}
