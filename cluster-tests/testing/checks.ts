/** What the cluster holds, against what it has said: each answers the contradictions, one line each. */
import pLimit from 'p-limit';
import { pathOf } from '../../trust-tests/testing/account.ts';
import { call } from '../../trust-tests/testing/call.ts';
import { eventually } from '../../trust-tests/testing/eventually.ts';
import { compareBytes, listAll } from '../../trust-tests/testing/holdings.ts';
import { sha256 } from '../../trust-tests/testing/ledger.ts';
import type { Holder } from './load.ts';
import type { Scene } from './scene.ts';

const atOnce = 8;

/** Pictures that one process does not have as they were promised. */
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

/** What should not be there: deleted pictures, one picture twice, half an upload. */
export async function surplusAt(origin: string, { account, ledger, traces }: Holder): Promise<string[]> {
  const listed = await listAll(origin, account);
  const ids = new Set(listed.map(({ id }) => id));
  const names = listed.map(({ filename }) => filename);
  const there = new Set(names);
  const limit = pLimit(atOnce);
  const alive = await Promise.all(
    [...ledger.gone.values()].map(({ path }) =>
      limit(async () => ((await call(origin, path)).status === 404 ? [] : [`${path} at ${origin} is alive`])),
    ),
  );
  const torn = [...ledger.open].filter((files) => files.some((name) => there.has(name)) && !isWhole(files));
  function isWhole(files: string[]): boolean {
    // One of them may have been deleted since.
    const gone = new Set([...ledger.gone.values()].map(({ filename }) => filename));
    return files.every((name) => there.has(name) || gone.has(name));
  }
  return [
    ...[...ledger.gone.keys()].filter((id) => ids.has(id)).map((id) => `${id} is deleted, and listed at ${origin}`),
    ...names
      .filter((name, at) => names.indexOf(name) !== at)
      .map((name) => `${name} is listed twice at ${origin}: ${JSON.stringify(traces.get(name))}`),
    ...torn.map((files) => `of ${files.join()} some are there, and not all`),
    ...alive.flat(),
  ];
}

/**
 * Rows without bytes, and once what lives has swept, bytes without a row: those that are there at the first look and do not
 * go. What a process is staging comes and goes all the time.
 */
export async function strayBytes({ sql, storage }: Scene, bound?: number): Promise<string[]> {
  const { withoutBytes, withoutRow } = await compareBytes(sql, storage.keys);
  let strays = withoutRow;
  let loose = 0;
  await eventually(
    'no bytes without a row',
    async () => {
      const seen = await compareBytes(sql, storage.keys);
      strays = strays.filter((key) => seen.withoutRow.includes(key));
      loose = seen.loose;
      return strays.length + loose === 0;
    },
    bound,
  ).catch(() => undefined);
  return [
    ...withoutBytes.map((key) => `a row names ${key}, which is not there`),
    ...strays.map((key) => `${key} belongs to no row`),
    ...(loose > 0 ? [`${loose} rows in loose_bytes`] : []),
  ];
}
