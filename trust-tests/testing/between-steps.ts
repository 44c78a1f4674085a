import { eventually } from '../../server/testing/eventually.ts';
import type { Home } from './home.ts';
import type { Ledger } from './ledger.ts';
import { onePicture, uploadInto } from './load/storm.ts';

/** Resolves once a query of the server with this beginning waits for a lock. */
export const waits = (home: Home, query: string) =>
  eventually(`the database waits in "${query}"`, async () => {
    const rows = await home.sql(
      `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query ilike '${query}%'`,
    );
    return rows.length > 0;
  });

/** Starts an upload whose connection may be lost. */
export function begin(
  ledger: Ledger,
  origin: string,
  account: Parameters<typeof uploadInto>[2],
  files = [onePicture()],
) {
  return Promise.all(files).then((list) => uploadInto(ledger, origin, account, list).catch(() => undefined));
}
