/** The most expensive calls that one account can make: some at a fixed rate, others with many always in flight. */
import { randomBytes, randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { sql } from 'drizzle-orm';
import { connect } from '../../../server/database/connect.ts';
import { insertManyRows, insertRows } from '../../../server/testing/collections/gallery-rows.ts';
import type { Account } from '../account.ts';
import { type Answer, asJson, call } from '../call.ts';

const perSecond = 50;
/** Images: the largest gallery that the server still scans row by row. */
const gallery = 30_000;
/** Images of the shared album, which the load adds, removes and reorders. */
const shared = 20_000;
const inFlight = 60;

type Attack = { path: string; method?: string; body?: object };

const letters = (count: number) => randomBytes(count).toString('base64url').slice(0, count);
const search = (text: string, more = '') => ({ path: `/api/images/?search=${encodeURIComponent(text)}${more}` });
const numbered = (count: number, word: (number: number) => string) =>
  Array.from({ length: count }, (_, at) => word(at));

/** `imageId`: an image that stays; `ids`: images of the album `albumId`, whose page is at `link`. */
type Target = { imageId: string; ids: string[]; albumId: string; link: string };

function attacks({ imageId }: Target): (() => Attack)[] {
  const albums = numbered(10, (at) => `album:a${at}`).join(' ');
  const texts = numbered(10, (at) => `${'img_.jpg'.slice(0, 2 + (at % 6))} size:>${at}`).join(' ');
  return [
    // A query from the security audit: planning a join for each name took seconds.
    () => search(numbered(100, (at) => `album:a${at}`).join(' ')),
    () => search(`${texts} ${albums} type:gif`),
    () => search(`${texts} type:gif`, '&sort=name'),
    () => search('g type:gif', '&sort=size&order=asc'),
    () => ({ path: `/api/images/?sort=name&page=${Math.ceil(gallery / 48)}` }),
    () => ({
      path: `/api/images/${imageId}`,
      method: 'PATCH',
      body: { filename: letters(4000), description: letters(2000) },
    }),
    () => ({ path: '/api/albums/holding', method: 'POST', body: { ids: numbered(5000, () => randomUUID()) } }),
    () => ({ path: '/api/albums/' }),
  ];
}

/** Calls that lock the owner's row, and pages of a large public album. */
function crowd({ ids, albumId, link }: Target): (() => Attack)[] {
  const own = ids.values();
  const some = ids.slice(-5000);
  const contents = `/api/albums/${albumId}/images`;
  return [
    () => ({ path: `/api/images/delete/${randomUUID()}`, method: 'DELETE' }),
    () => ({ path: `/api/images/delete/${own.next().value ?? randomUUID()}`, method: 'DELETE' }),
    () => ({ path: `/api/images/delete/${randomUUID()}`, method: 'DELETE' }),
    () => ({ path: `${link}?page=${Math.ceil(shared / 96)}` }),
    () => ({ path: contents, method: 'POST', body: { ids: some } }),
    () => ({ path: contents, method: 'PATCH', body: { ids: some.slice(0, 500), before: null } }),
    () => ({ path: contents, method: 'DELETE', body: { ids: some.slice(0, 100) } }),
  ];
}

async function fill(databaseUrl: string, { id }: Account): Promise<Target> {
  const { db, close } = connect(databaseUrl, { max: 1 });
  try {
    await insertManyRows(db, id, gallery);
    const [imageId = ''] = await insertRows(db, [{ ownerId: id }]);
    const [albumId, linkKey] = [randomUUID(), randomBytes(16).toString('base64url')];
    await db.execute(sql`insert into albums (id, owner_id, name, search_name, position, link_key)
      values (${albumId}, ${id}, 'Shared', 'shared', 1, ${linkKey})`);
    const rows = await db.execute<{ id: string }>(sql`
      insert into album_images (album_id, image_id, owner_id, position)
      select ${albumId}::uuid, id, owner_id, row_number() over (order by id) * 1000 from images
      where owner_id = ${id} and id <> ${imageId} limit ${shared} returning image_id as id`);
    return { imageId, ids: rows.map((row) => row.id), albumId, link: `/a/${linkKey}` };
  } finally {
    await close();
  }
}

export type HostileLoad = {
  /** Ends the load. @returns the number of answers by status */
  stop(): Promise<Map<number, number>>;
};

/** Starts the load: fifty calls a second, and sixty more always in flight. @param onAnswer sees each answer */
export async function hostileLoad(
  { origin, databaseUrl }: { origin: string; databaseUrl: string },
  attacker: Account,
  onAnswer: (answer: Answer) => void = () => {},
): Promise<HostileLoad> {
  const target = await fill(databaseUrl, attacker);
  const [all, crowded] = [attacks(target), crowd(target)];
  // A separate agent, so that the test's own calls do not queue behind the load.
  const agent = new Agent({ keepAlive: true });
  const statuses = new Map<number, number>();
  const open = new Set<Promise<void>>();
  let made = 0;
  let isStopped = false;
  const attack = async ({ path, method, body }: Attack) => {
    const { headers, ...more } = body ? asJson(body) : {};
    const answer = await call(origin, path, {
      ...more,
      ...(method ? { method } : {}),
      headers: { ...headers, ...attacker.bearer },
      agent,
    });
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
    onAnswer(answer);
  };
  const keepInFlight = async (first: number) => {
    for (let at = first; !isStopped; at += 1) {
      const next = crowded[at % crowded.length];
      // A cut connection counts as no answer.
      if (next) await attack(next()).catch(() => {});
    }
  };
  for (let at = 0; at < inFlight; at += 1) open.add(keepInFlight(at));
  const start = performance.now();
  const timer = setInterval(() => {
    // Timers fire late on a busy machine, so each tick makes all calls that are due.
    const due = ((performance.now() - start) / 1000) * perSecond;
    while (made < due) {
      const next = all[made++ % all.length]?.() ?? { path: '/' };
      const attacking: Promise<void> = attack(next)
        .catch(() => {})
        .finally(() => open.delete(attacking));
      open.add(attacking);
    }
  }, 1000 / perSecond);
  return {
    async stop() {
      clearInterval(timer);
      isStopped = true;
      await Promise.all(open);
      agent.destroy();
      return statuses;
    },
  };
}
