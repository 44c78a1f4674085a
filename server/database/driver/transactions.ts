/**
 * A transaction can lose its connection between two statements. The driver (3.4.9) then still writes the next statement,
 * the commit or the rollback. If the socket is closed, that exception ends the process. If the connection has been
 * opened again, the statement runs in another transaction. Here, nothing of a transaction is written after the loss.
 * (github.com/porsager/postgres, issues 1066, 1133 and 1154, pull requests 1155 and 1215)
 */
import type postgres from 'postgres';
import { intercept, type LossGate } from './connection-loss.ts';

type Work = (tx: postgres.TransactionSql) => unknown;
type Savepoint = (...args: [string, Work] | [Work]) => Promise<unknown>;

const lossError = () =>
  Object.assign(new Error('The connection to the database was lost in a transaction'), { code: 'CONNECTION_CLOSED' });

type Loss = { gate: LossGate; isLost: () => boolean };

/** The result of the work. It stays pending after a loss: on any result, the driver would write to the connection. */
function unlessLost(work: () => unknown, { gate, isLost }: Loss): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const settle = async (report: () => void) => {
      await gate.whenOpen();
      if (!isLost()) report();
    };
    const run = async () => work();
    run().then(
      (result) => settle(() => resolve(result)),
      (error) => settle(() => reject(error)),
    );
  });
}

/** @returns the same transaction; its statements fail once the connection is lost, however early they were prepared */
function guarded(tx: postgres.TransactionSql, loss: Loss): postgres.TransactionSql {
  const { gate, isLost } = loss;
  const checked = <T>(made: T): T =>
    intercept(made, (send, query) => {
      const sendUnlessLost = () => (isLost() ? query.reject(lossError()) : send());
      return gate.isOpen() ? sendUnlessLost() : gate.whenOpen().then(sendUnlessLost);
    });
  const unsafe = tx.unsafe as (...args: unknown[]) => unknown;
  const savepoint = tx.savepoint as Savepoint;
  const guardedSavepoint: Savepoint = async (...args) => {
    await gate.whenOpen();
    if (isLost()) throw lossError();
    const guardedWork = (work: Work) => (inner: postgres.TransactionSql) =>
      unlessLost(() => work(guarded(inner, loss)), loss);
    const [name, work] = args;
    return typeof name === 'string' && work ? savepoint(name, guardedWork(work)) : savepoint(guardedWork(name as Work));
  };
  tx.unsafe = ((...args: unknown[]) => checked(unsafe(...args))) as typeof tx.unsafe;
  tx.savepoint = guardedSavepoint as typeof tx.savepoint;
  return new Proxy(tx, { apply: (target, self, args) => checked(Reflect.apply(target, self, args)) });
}

export function guardTransactions(sql: postgres.Sql, gate: LossGate): void {
  const begin = sql.begin.bind(sql) as (work: Work) => Promise<unknown>;
  const guardedBegin = (work: Work): Promise<unknown> => {
    let hasFailed = false;
    const loss = { gate, isLost: () => hasFailed };
    const ended = begin((tx) => unlessLost(() => work(guarded(tx, loss)), loss));
    ended.catch(() => {
      hasFailed = true;
    });
    return ended;
  };
  sql.begin = guardedBegin as typeof sql.begin;
}
