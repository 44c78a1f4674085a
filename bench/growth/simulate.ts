/**
 * How long list calls take in the busiest hour: calls that come at random to processes that do one thing at a time, and
 * on to the cores of Postgres. Seeded, so that it says the same each time.
 */
import { seeded } from '../scene.ts';
import { serverShare } from './assumptions.ts';
import type { Costs } from './costs.ts';
import type { Need } from './model.ts';

/** Processes that are simulated where there are more: each gets its share of the calls in any case. */
const mostSimulated = 16;
const arrivals = 200_000;
/** Pieces in which a server handles an upload; other calls come between them. */
const slices = 60;

export type Waits = { median: number; p99: number };

type Kind = { rate: number; ms: number; database: number; isList?: boolean };

const quantile = (sorted: number[], share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;

/** Of servers that take one after another: when the one is done that comes at `at` and goes to the first that is free. */
function serve(free: number[], at: number, ms: number): number {
  let best = 0;
  for (let index = 1; index < free.length; index += 1) if ((free[index] ?? 0) < (free[best] ?? 0)) best = index;
  const end = Math.max(at, free[best] ?? 0) + ms;
  free[best] = end;
  return end;
}

/** @param without processes that are away, as in a restart @returns milliseconds that list calls take in the servers, not on the way */
export function simulate(need: Need, costs: Costs, without = 0): Waits {
  const random = seeded(need.users + without);
  const some = (mean: number) => -Math.log(1 - random()) * mean;
  const processes = Math.min(need.cores, mostSimulated);
  const share = processes / need.cores;
  const { rates } = need;
  const upload = costs.upload.app * serverShare;
  const kinds: Kind[] = [
    { rate: rates.lists, ms: costs.list.app, database: costs.list.database, isList: true },
    { rate: rates.uploads * slices, ms: upload / slices, database: costs.upload.database / slices },
    { rate: rates.thumbnails, ms: costs.thumbnail.app, database: 0 },
    { rate: rates.screens, ms: costs.screen.app, database: 0 },
    { rate: rates.originals, ms: costs.original.app, database: 0 },
  ];
  const total = kinds.reduce((sum, { rate }) => sum + rate, 0) * share;
  const pick = (): Kind => {
    let at = random() * kinds.reduce((sum, { rate }) => sum + rate, 0);
    for (const kind of kinds) {
      at -= kind.rate;
      if (at < 0) return kind;
    }
    return kinds[0] as Kind;
  };
  const servers = Array(Math.max(1, processes - without)).fill(0);
  const calls: { came: number; left: number; kind: Kind }[] = [];
  for (let count = 0, now = 0; count < arrivals; count += 1) {
    now += some(1000 / total);
    const kind = pick();
    calls.push({ came: now, left: serve(servers, now, some(kind.ms)), kind });
  }
  const database = Array(Math.max(1, Math.round(need.databaseCores * share))).fill(0);
  const waits: number[] = [];
  for (const { came, left, kind } of calls.toSorted((a, b) => a.left - b.left)) {
    if (kind.database === 0) continue;
    const end = serve(database, left, some(kind.database));
    if (kind.isList) waits.push(end - came);
  }
  const sorted = waits.toSorted((a, b) => a - b);
  return { median: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
}
