/** Compares what the cluster stores with what it has confirmed; each check returns one line per contradiction. */
import pLimit from 'p-limit';
import { giveTime } from '../../server/testing/eventually.ts';
import { pathOf } from '../../trust-tests/testing/account.ts';
import { call } from '../../trust-tests/testing/call.ts';
import { compareBytes, listAll } from '../../trust-tests/testing/holdings.ts';
import { sha256 } from '../../trust-tests/testing/ledger.ts';
import type { Holder } from './load.ts';
import { thumbnailOf } from './reading.ts';
import type { Scene } from './scene.ts';

const atOnce = 8;

/** @returns sent files that were neither confirmed nor, later, deleted */
export function unanswered({ ledger }: Holder): string[] {
  const answered = new Set([...ledger.kept.values(), ...ledger.gone.values()].map(({ filename }) => filename));
  return [...ledger.sent.keys()]
    .filter((name) => !answered.has(name))
    .map((name) => `${name} was sent, and never answered`);
}

/** @returns confirmed pictures that one process does not list and serve correctly */
export async function lossesAt(origin: string, { account, ledger }: Holder): Promise<string[]> {
  const listed = await listAll(origin, account);
  const ids = new Set(listed.map(({ id }) => id));
  const missing = [...ledger.kept.values()].filter(({ id }) => !ids.has(id));
  const limit = pLimit(atOnce);
  const looked = await Promise.all(
    listed.map(({ filename, url, thumbnail_url }) =>
      limit(async () => {
        const original = await call(origin, pathOf(url));
        const thumbnail = await call(origin, pathOf(thumbnail_url));
        const isWhole = original.status === 200 && sha256(original.bytes) === ledger.sent.get(filename);
        const isShown = thumbnail.status === 200 && thumbnail.bytes.length > 0;
        return isWhole && isShown ? [] : [`${url} at ${origin}: ${original.status}, thumbnail ${thumbnail.status}`];
      }),
    ),
  );
  return [...missing.map(({ filename }) => `${filename} is not listed at ${origin}`), ...looked.flat()];
}

/** Finds listed pictures that should not exist, and deleted links that still work. Needs every call to be answered. */
export async function surplusAt(origin: string, { account, ledger, traces }: Holder): Promise<string[]> {
  const listed = await listAll(origin, account);
  const ids = listed.map(({ id }) => id);
  const more = listed.filter(({ id }, at) => !ledger.kept.has(id) || ids.indexOf(id) !== at);
  const limit = pLimit(atOnce);
  const alive = await Promise.all(
    [...ledger.gone.values()]
      .flatMap((picture) => [picture.path, thumbnailOf(picture)])
      .map((path) =>
        limit(async () => {
          const { status } = await call(origin, path);
          return status === 404 ? [] : [`${path} at ${origin} is alive: ${status}`];
        }),
      ),
  );
  const why = (id: string) =>
    ledger.gone.has(id) ? 'is deleted' : ledger.kept.has(id) ? 'is stored once' : 'was never answered';
  return [
    ...more.map(
      ({ id, filename }) => `${filename} ${why(id)}, and listed at ${origin}: ${JSON.stringify(traces.get(filename))}`,
    ),
    ...alive.flat(),
  ];
}

/** Finds rows without bytes, and bytes without a row that are stored at first and stay. */
async function straying({ sql, storage }: Scene, bound?: number): Promise<string[]> {
  const look = () => compareBytes(sql, storage.keys);
  const { withoutBytes, ...first } = await look();
  let { withoutRow: strays, loose } = first;
  await giveTime(async () => {
    const seen = await look();
    strays = strays.filter((key) => seen.withoutRow.includes(key));
    loose = seen.loose;
    return strays.length + loose === 0;
  }, bound);
  return [
    ...withoutBytes.map((key) => `a row names ${key}, which does not exist`),
    ...strays.map((key) => `${key} belongs to no row`),
    ...(loose > 0 ? [`${loose} rows in orphaned_blobs`] : []),
  ];
}

/** Checks twice, since files that are staged during the first check look like bytes without a row. */
export async function strayBytes(scene: Scene, bound?: number): Promise<string[]> {
  const strays = await straying(scene, bound);
  return strays.length > 0 ? strays : straying(scene, bound);
}
