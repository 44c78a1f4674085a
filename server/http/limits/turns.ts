/** Limits the concurrent calls of an account. Further calls wait in the account's own queue. */
import { ClientGone } from '../../errors.ts';
import { tooManyRequests } from './rate-limit.ts';

export type TurnLimits = {
  atOnce: number;
  /** Waiting calls of an account; further calls are refused. */
  waiting: number;
};

/** A page sends six calls at once, a few more over HTTP/2; 16 keep all database connections busy. */
export const defaultTurns: TurnLimits = { atOnce: 16, waiting: 500 };

/** Milliseconds until a refused call may be repeated. */
const comeBack = 5000;

type Account = { running: number; waiting: Set<() => void> };

type OnOver = (callback: () => void) => void;

export function createTurns({ atOnce, waiting }: TurnLimits) {
  const accounts = new Map<string, Account>();

  function wait(account: Account, onOver: OnOver): Promise<void> {
    return new Promise((resolve, reject) => {
      account.waiting.add(resolve);
      onOver(() => {
        if (account.waiting.delete(resolve)) reject(new ClientGone());
      });
    });
  }

  function pass(accountId: string, account: Account): void {
    const [next] = account.waiting;
    if (next) {
      account.waiting.delete(next);
      next();
      return;
    }
    account.running -= 1;
    if (account.running === 0) accounts.delete(accountId);
  }

  /** Resolves when it is the call's turn. @returns ends the turn before the response's end @throws TooManyRequests, ClientGone */
  return async function takeTurn(accountId: string, onOver: OnOver): Promise<() => void> {
    const account = accounts.get(accountId) ?? { running: 0, waiting: new Set() };
    accounts.set(accountId, account);
    if (account.running < atOnce) account.running += 1;
    else if (account.waiting.size < waiting) await wait(account, onOver);
    else throw tooManyRequests(comeBack);
    let isOver = false;
    const end = () => {
      if (!isOver) pass(accountId, account);
      isOver = true;
    };
    onOver(end);
    return end;
  };
}
