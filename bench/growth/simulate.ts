/**
 * Simulates list calls in the busiest hour: random calls to single-core processes, which share the core with their decoders,
 * and then to the cores of Postgres. Seeded, so the result is always the same.
 */
import { seeded } from '../pictures/scene.ts';
import { decoderWeight, peak, serverShare } from './assumptions.ts';
import type { Costs } from './costs.ts';
import type { Need } from './model.ts';

/** The largest number of simulated processes; each gets its share of the calls in any case. */
const maxSimulated = 256;
/** Slices of an upload in the server and in Postgres; other calls run between them. */
const slices = 60;

export type Waits = { median: number; p99: number };

/** Milliseconds of work that a call causes. */
type Work = { server: number; asked: number; ahead: number; database: number };
type Kind = Partial<Work> & { rate: number; isList?: boolean };

/** When a process and its decoders (on request and background) finish their current work. */
type Core = Omit<Work, 'database'>;

const quantile = (sorted: number[], share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;

function firstFree<T>(all: T[], freeAt: (each: T) => number): T {
  return all.reduce((best, each) => (freeAt(each) < freeAt(best) ? each : best));
}

function kindsOf({ rates }: Need, { upload, list, ...views }: Costs): Kind[] {
  const later = rates.uploads / peak;
  return [
    { rate: rates.lists, server: list.app, database: list.database, isList: true },
    {
      rate: rates.uploads * slices,
      server: (upload.app * serverShare) / slices,
      database: upload.database / slices,
    },
    { rate: rates.uploads, asked: upload.app * (1 - serverShare) },
    { rate: later, ahead: upload.behind },
    { rate: later * slices, database: upload.databaseBehind / slices },
    { rate: rates.thumbnails, server: views.thumbnail.app },
    { rate: rates.screens, server: views.screen.app },
    { rate: rates.originals, server: views.original.app },
  ];
}

/**
 * @param without number of missing processes, as in a restart: the others get their calls
 * @param arrivals number of simulated calls
 * @returns milliseconds of list calls in the servers, without the network
 */
export function simulate(need: Need, costs: Costs, without = 0, arrivals = 400_000): Waits {
  const [random, elsewhere] = [seeded(need.users), seeded(need.users + 1)];
  const some = (mean = 0) => -Math.log(1 - random()) * mean;
  const count = Math.min(need.cores, maxSimulated);
  const share = count / need.cores;
  const present = count - without * share;
  const cores = Array.from({ length: count }, (): Core => ({ server: 0, asked: 0, ahead: 0 }));
  const kinds = kindsOf(need, costs);
  const total = kinds.reduce((sum, { rate }) => sum + rate, 0);
  const pick = (): Kind => {
    let at = random() * total;
    for (const kind of kinds) {
      at -= kind.rate;
      if (at < 0) return kind;
    }
    return kinds[0] as Kind;
  };
  const draw = (): Core => {
    const at = random() * count;
    return cores[Math.floor(at < present ? at : elsewhere() * present)] as Core;
  };
  const calls: { came: number; left: number; kind: Kind }[] = [];
  for (let now = 0; calls.length < arrivals; ) {
    now += some(1000 / (total * share));
    const kind = pick();
    // Like independent proxies: the less busy one of two random processes.
    const core = firstFree([draw(), draw()], ({ server }) => server);
    const start = Math.max(now, core.server);
    let beside = 0;
    for (const decoder of ['asked', 'ahead'] as const) {
      if (core[decoder] > start) beside += decoderWeight[decoder];
      core[decoder] = Math.max(now, core[decoder]) + some(kind[decoder]);
    }
    core.server = start + some(kind.server) * (1 + beside);
    calls.push({ came: now, left: core.server, kind });
  }
  const database = Array.from({ length: Math.max(1, Math.round(need.databaseCores * share)) }, () => ({ free: 0 }));
  const waits: number[] = [];
  for (const { came, left, kind } of calls.toSorted((a, b) => a.left - b.left)) {
    if (!kind.database) continue;
    const one = firstFree(database, ({ free }) => free);
    one.free = Math.max(left, one.free) + some(kind.database);
    if (kind.isList) waits.push(one.free - came);
  }
  const sorted = waits.toSorted((a, b) => a - b);
  return { median: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
}
