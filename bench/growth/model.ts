/** Computes the needs of a number of users from costs and assumptions. */
import {
  activeADay,
  connections,
  deliveredByCdn,
  fullness,
  limits,
  objectsEach,
  peak,
  prices,
  user,
} from './assumptions.ts';
import type { Costs } from './costs.ts';

const month = 30 * 86_400;
const GB = 1e9;

export type Need = ReturnType<typeof needOf>;

/** The current load of one engine, its maximum, and which engine takes over beyond it. */
export type Load = { name: string; now: number; most: number; next: string };

const passed = ({ now, most }: Load) => now / most;

/** Requests a second in the busiest hour. */
function ratesOf(users: number) {
  const perSecond = (aMonth: number) => (users * aMonth * peak) / month;
  return {
    uploads: perSecond(user.uploads),
    lists: perSecond(user.lists),
    thumbnails: perSecond(user.thumbnails),
    screens: perSecond(user.screens),
    originals: perSecond(user.originals),
  };
}

/** Cores of the servers and of Postgres in the busiest hour. Background renditions wait for quieter hours, but at most a day. */
function processorsOf(users: number, rates: ReturnType<typeof ratesOf>, costs: Costs) {
  const busy =
    (rates.uploads * costs.upload.app +
      (rates.uploads / peak) * costs.upload.behind +
      rates.lists * costs.list.app +
      rates.thumbnails * costs.thumbnail.app +
      rates.screens * costs.screen.app +
      rates.originals * costs.original.app) /
    1000;
  const databaseReads = (rates.lists * costs.list.database) / 1000;
  const databaseBusy =
    databaseReads +
    (rates.uploads * costs.upload.database + (rates.uploads / peak) * costs.upload.databaseBehind) / 1000;
  const least = users >= 100_000 ? 3 : 1;
  const cores = Math.max(least, Math.ceil(busy / fullness));
  const databaseCores = Math.max(1, Math.ceil(databaseBusy / fullness));
  return { busy, cores, databaseReads, databaseBusy, databaseCores };
}

/** Images, and bytes of their rows and objects. */
function collectionOf(users: number, costs: Costs) {
  const images = users * user.uploads * user.months;
  const rows = images * (costs.table + costs.indexes);
  return { images, rows, workingSet: rows * activeADay, stored: images * costs.stored };
}

/** Bytes sent in a month, and bits a second in the busiest hour. */
function trafficOf(users: number, uploads: number, costs: Costs) {
  const sent =
    users *
    (user.lists * costs.list.bytes +
      user.thumbnails * costs.thumbnail.bytes +
      user.screens * costs.screen.bytes +
      user.originals * costs.original.bytes);
  const sentBits = (sent * peak * 8) / month;
  const receivedBits = uploads * costs.original.bytes * 8;
  return { sent, sentBits, receivedBits, withCdn: sentBits > limits.proxyBits };
}

type Sizes = ReturnType<typeof processorsOf> &
  ReturnType<typeof collectionOf> &
  ReturnType<typeof trafficOf> & { sessions: number; transactions: number };

/** Loads of Postgres that neither replicas nor partitions reduce. */
function shardedLoads({ workingSet, databaseBusy, transactions }: Sizes): Load[] {
  return [
    { name: 'memory of Postgres', now: workingSet, most: limits.databaseMemory },
    { name: 'cores of Postgres', now: databaseBusy / fullness, most: limits.databaseCores },
    { name: 'transactions a second', now: transactions, most: limits.transactions },
  ].map((load) => ({ ...load, next: 'Citus, by owner' }));
}

function otherLoads({ busy, stored, sessions, sentBits, receivedBits, databaseReads, rows, images }: Sizes): Load[] {
  return [
    { name: 'cores of one machine', now: busy / fullness, most: limits.cores, next: 'several processes and machines' },
    { name: 'disk of one machine', now: stored, most: limits.disk, next: 'object storage (S3)' },
    { name: 'sessions of Postgres', now: sessions, most: limits.sessions, next: 'PgBouncer' },
    { name: 'bits to readers, one proxy', now: sentBits, most: limits.proxyBits, next: 'CDN' },
    { name: 'bits of uploads, one proxy', now: receivedBits, most: limits.proxyBits, next: 'several proxies' },
    {
      name: 'cores of Postgres, reads alone',
      now: databaseReads / fullness,
      most: limits.databaseCores,
      next: 'read replicas',
    },
    { name: 'size of one table', now: rows, most: limits.table, next: 'partitions by owner' },
    { name: 'objects of one bucket', now: images * objectsEach, most: limits.objects, next: 'several buckets' },
  ];
}

/** Money a month, by what it pays for. */
function pricesOf(users: number, shards: number, { cores, databaseCores, rows, stored, sent, withCdn }: Sizes) {
  const monthly = {
    servers: cores * prices.core,
    /** Every database server has a standby. */
    database:
      2 * (Math.max(databaseCores, shards * 2) * prices.databaseCore + (1.5 * rows * prices.databaseGigabyte) / GB),
    storage:
      (stored * prices.storedGigabyte) / GB +
      (users * user.uploads * objectsEach * prices.millionWrites) / 1e6 +
      (users * (user.thumbnails / 4 + user.screens + user.originals) * prices.millionReads) / 1e6,
    traffic:
      (sent / GB) *
      (withCdn
        ? deliveredByCdn * prices.deliveredGigabyte + (1 - deliveredByCdn) * prices.sentGigabyte
        : prices.sentGigabyte),
  };
  const total = Object.values(monthly).reduce((sum, each) => sum + each, 0);
  return { ...monthly, total, each: total / users };
}

export function needOf(users: number, costs: Costs) {
  const rates = ratesOf(users);
  const processors = processorsOf(users, rates, costs);
  const sizes: Sizes = {
    ...processors,
    ...collectionOf(users, costs),
    ...trafficOf(users, rates.uploads, costs),
    sessions: processors.cores * (connections.pool + connections.direct),
    transactions: rates.uploads * costs.upload.transactions,
  };
  const sharded = shardedLoads(sizes);
  const shards = Math.ceil(Math.max(1, ...sharded.map(passed)));
  return {
    users,
    rates,
    ...sizes,
    logBits: rates.uploads * costs.upload.log * 8,
    shards,
    /** The loads grow with the users, so the one exceeded most was exceeded first. */
    loads: [...sharded, ...otherLoads(sizes)].toSorted((a, b) => passed(b) - passed(a)),
    monthly: pricesOf(users, shards, sizes),
  };
}
