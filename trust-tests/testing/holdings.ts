/** Compares what a server stores with what it has confirmed: by its answers, and by its rows and files. */
import { randomInt } from 'node:crypto';
import type { Test } from 'tap';
import type { Image, ImagePage } from '../../server/contract.ts';
import { allKeys } from '../../server/images/keys.ts';
import { firstKeys, storedFiles } from '../../server/testing/disk.ts';
import { giveTime } from '../../server/testing/eventually.ts';
import { type Account, pathOf } from './account.ts';
import { call } from './call.ts';
import type { Count } from './full.ts';
import type { Home } from './home.ts';
import { type Ledger, sha256 } from './ledger.ts';
import { measured } from './measured.ts';

export async function listAll(origin: string, { bearer }: Account): Promise<Image[]> {
  const images: Image[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const answer = await call(origin, `/api/images/?page=${page}`, { headers: bearer });
    if (answer.status !== 200) throw new Error(`list: ${answer.status} ${answer.body}`);
    const { images: some, totalPages } = JSON.parse(answer.body) as ImagePage;
    images.push(...some);
    pages = totalPages;
  }
  return images;
}

function sample<T>(list: T[], most: number): T[] {
  if (list.length <= most) return list;
  const start = randomInt(list.length);
  return Array.from({ length: most }, (_, at) => list[(start + at) % list.length] as T);
}

/**
 * Checks that confirmed pictures are listed unchanged, deleted ones are gone, and unanswered uploads are complete or absent.
 * @param options.most the largest number of pictures to read
 * @param options.kills how often the server was killed, if this measures the goal
 */
export async function checkAnswers(
  t: Test,
  origin: string,
  account: Account,
  ledger: Ledger,
  { most = Number.POSITIVE_INFINITY, kills }: { most?: number; kills?: Count } = {},
): Promise<void> {
  const listed = await listAll(origin, account);
  const ids = new Set(listed.map(({ id }) => id));
  const lost = [...ledger.kept.values()].filter(({ id }) => !ids.has(id));
  t.same(lost, [], `all of ${ledger.kept.size} confirmed pictures are listed`);
  const back = [...ledger.gone.values()].filter(({ id }) => ids.has(id));
  t.same(back, [], `none of ${ledger.gone.size} deleted pictures is listed`);
  const names = new Set(listed.map(({ filename }) => filename));
  const torn = [...ledger.open].filter((files) => {
    const there = files.filter((name) => names.has(name)).length;
    return there > 0 && there < files.length;
  });
  t.same(torn, [], `each of ${ledger.open.size} unanswered uploads is complete or absent`);

  const wrong: string[] = [];
  for (const { id, filename, url, thumbnail_url, location } of sample(listed, most)) {
    // If the link serves a redacted file, only the owner's route serves every byte.
    const isWhole = location !== 'removed' && location !== 'withheld';
    const original = isWhole
      ? await call(origin, pathOf(url))
      : await call(origin, `/api/images/${id}/original`, { headers: account.bearer });
    if (original.status !== 200 || sha256(original.bytes) !== ledger.sent.get(filename)) wrong.push(url);
    const thumbnail = await call(origin, pathOf(thumbnail_url));
    if (thumbnail.status !== 200 || thumbnail.bytes.length === 0) wrong.push(thumbnail_url);
  }
  t.same(wrong, [], `${Math.min(listed.length, most)} pictures are served as they were sent`);
  const dead: string[] = [];
  for (const { path } of sample([...ledger.gone.values()], most)) {
    if ((await call(origin, path)).status !== 404) dead.push(path);
  }
  t.same(dead, [], 'deleted links are dead');
  measured('G8', {
    seen: `${lost.length + wrong.length} of ${ledger.kept.size}`,
    held: lost.length + wrong.length === 0,
    ...(kills ? { part: 'kills', count: kills } : {}),
  });
}

type Difference = { withoutBytes: string[]; withoutRow: string[]; loose: number };

/** Compares the rows with the stored keys. Staged files count as bytes without a row. */
export async function compareBytes(sql: Home['sql'], keys: () => Promise<string[]>): Promise<Difference> {
  const rows = await sql('select id, content_id as "contentId", extension, has_screen as "hasScreen" from images');
  type Row = { id: string; contentId: string | null; extension: string; hasScreen: boolean };
  const first = new Set(rows.flatMap((row) => firstKeys(row as Row)));
  const known = new Set(rows.flatMap((row) => allKeys(row as Row)));
  const files = new Set(await keys());
  const [loose] = await sql('select count(*)::int as count from orphaned_blobs');
  return {
    withoutBytes: [...first].filter((key) => !files.has(key)),
    withoutRow: [...files].filter((file) => !known.has(file)),
    loose: Number(loose?.count),
  };
}

/** Checks that no row lacks its bytes and, after the sweep, that no bytes lack a row. */
export async function checkBytes(t: Test, home: Home, { kills }: { kills?: Count } = {}): Promise<void> {
  let seen: Difference = { withoutBytes: [], withoutRow: [], loose: 0 };
  await giveTime(async () => {
    seen = await compareBytes(home.sql, () => storedFiles(home.dataDir));
    return seen.withoutRow.length === 0 && seen.loose === 0;
  });
  t.same(seen, { withoutBytes: [], withoutRow: [], loose: 0 }, 'rows and files match');
  const [without, stray] = [seen.withoutBytes.length, seen.withoutRow.length];
  measured('G9', {
    seen: `${without}, ${stray}`,
    held: without + stray === 0,
    ...(kills ? { part: 'kills', count: kills } : {}),
  });
}
