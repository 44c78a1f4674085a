/**
 * A transaction that does something else between two statements may lose its connection meanwhile. The driver (3.4.9)
 * then fails it, but writes its next statement, and its rollback, to a socket that is no more; that exception ends the
 * process. Here what comes after the loss fails without being written. (github.com/porsager/postgres, 1066 and 1154)
 */
import type postgres from 'postgres';

type Work = (tx: postgres.TransactionSql) => unknown;

const lostError = () =>
  Object.assign(new Error('The connection to the database was lost in a transaction'), { code: 'CONNECTION_CLOSED' });

/** The same transaction, which refuses statements once it is lost. */
function refusing(tx: postgres.TransactionSql, isLost: () => boolean): postgres.TransactionSql {
  const check = () => {
    if (isLost()) throw lostError();
  };
  return new Proxy(tx, {
    apply(target, self, words) {
      check();
      return Reflect.apply(target, self, words);
    },
    get(target, name) {
      check();
      return Reflect.get(target, name);
    },
  });
}

/** Changes how this client begins transactions, of the form `begin(work)`. */
export function surviveLostTransactions(sql: postgres.Sql): void {
  const begin = sql.begin.bind(sql) as (work: Work) => Promise<unknown>;
  const surviving = (work: Work): Promise<unknown> => {
    let lost = false;
    const ended = begin(
      (tx) =>
        // Once it is lost nobody waits for this: never settled, it lets the driver write nothing more.
        new Promise((resolve, reject) => {
          const run = async () => work(refusing(tx, () => lost));
          run().then(
            (result) => lost || resolve(result),
            (error) => lost || reject(error),
          );
        }),
    );
    ended.catch(() => {
      lost = true;
    });
    return ended;
  };
  sql.begin = surviving as typeof sql.begin;
}
