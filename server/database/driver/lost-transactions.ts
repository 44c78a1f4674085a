/**
 * A transaction can lose its connection between two statements. The driver (3.4.9) then fails it, but writes its next
 * statement and its rollback to the closed socket; that exception ends the process. Here, statements after the loss
 * fail without being written. (github.com/porsager/postgres, 1066 and 1154)
 */
import type postgres from 'postgres';

type Work = (tx: postgres.TransactionSql) => unknown;

const lostError = () =>
  Object.assign(new Error('The connection to the database was lost in a transaction'), { code: 'CONNECTION_CLOSED' });

/** Wraps a transaction so that it rejects statements once its connection is lost. */
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

export function surviveLostTransactions(sql: postgres.Sql): void {
  const begin = sql.begin.bind(sql) as (work: Work) => Promise<unknown>;
  const surviving = (work: Work): Promise<unknown> => {
    let lost = false;
    const ended = begin(
      (tx) =>
        // After the loss nothing awaits this promise; leaving it pending stops the driver from writing more.
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
