/** Plants each fault once and checks that the proof finds it. */
import { setTimeout as sleep } from 'node:timers/promises';
import tap, { type Test } from 'tap';
import type { ImagePage, UploadAnswer } from '../server/contract.ts';
import { eventually } from '../server/testing/eventually.ts';
import { type Answer, call } from '../trust-tests/testing/call.ts';
import { pictures, uploadInto } from '../trust-tests/testing/load/storm.ts';
import { withoutPostgres } from '../trust-tests/testing/machine/tools.ts';
import { lossesAt, strayBytes, surplusAt, unanswered } from './testing/checks.ts';
import { deathOf } from './testing/death.ts';
import { createFigures, type Figures } from './testing/figures.ts';
import { type Lie, startLiar } from './testing/liar.ts';
import { type Holder, type Load, startLoad } from './testing/load.ts';
import { withoutNginx } from './testing/proxy.ts';
import { thumbnailOf } from './testing/reading.ts';
import { type Scene, startScene } from './testing/scene.ts';
import { chosenKind, withoutChosen } from './testing/shared-storage.ts';
import type { Slot } from './testing/slots.ts';

/** Seconds that the server has to sweep orphaned blobs. */
const soon = 3;

/** Runs the load until this many uploads are answered. */
async function someLoad(scene: Scene, uploads: number): Promise<Load> {
  const figures = createFigures();
  const load = await startLoad(scene, figures, 'kills');
  await eventually('uploads are answered', () => figures.uploads >= uploads);
  await load.stop();
  return load;
}

function oneOf({ ledger }: Holder) {
  const [picture] = ledger.kept.values();
  if (!picture) throw new Error('nothing was uploaded');
  return picture;
}

async function unshared({ sql }: Scene, { ledger }: Holder) {
  const rows = await sql(
    'select id from images where content_id is null and id not in (select content_id from images where content_id is not null)',
  );
  const ids = new Set(rows.map(({ id }) => id));
  return [...ledger.kept.values()].filter(({ id }) => ids.has(id));
}

async function deleteAt(origin: string, holder: Holder) {
  const { account, ledger } = holder;
  const picture = oneOf(holder);
  await ledger.deletion(picture, (id) =>
    call(origin, `/api/images/delete/${id}`, { method: 'DELETE', headers: account.bearer }),
  );
  return { ...picture, answered: performance.now() };
}

/** Answers the first call with this status, later ones with 200. */
function once(status: number): Lie {
  let asked = 0;
  return () => {
    asked += 1;
    return { status: asked === 1 ? status : 200 };
  };
}

async function checkDeaths(t: Test, scene: Scene, holder: Holder): Promise<void> {
  const [one, other] = scene.slots as [Slot, Slot];
  const { path } = oneOf(holder);
  await call(other.origin, path);
  const { answered } = await deleteAt(one.origin, holder);
  t.ok(Number(await deathOf(other, path, answered)) < 1000, 'a deleted link dies');

  const liar = await startLiar(t, other.origin);
  const heard = { origin: liar.origin, isUp: () => true };
  liar.tell(once(404));
  t.equal(
    await deathOf(heard, path, performance.now()),
    Number.POSITIVE_INFINITY,
    'a link that becomes alive again is found',
  );
  liar.tell(once(503));
  const longAgo = performance.now() - 2000;
  t.equal(
    await deathOf(heard, path, longAgo),
    Number.POSITIVE_INFINITY,
    'a link alive after its process was unavailable is found',
  );

  // The original's bytes are deleted for all processes; a cached thumbnail lives until a notification arrives.
  const silenced = thumbnailOf(oneOf(holder));
  await scene.sql('alter table images disable trigger images_deleted_links');
  // The process caches the link only once it knows that it receives notifications.
  for (let times = 0; times < 40; times += 1) await call(other.origin, silenced).then(() => sleep(25));
  const untold = await deleteAt(one.origin, holder);
  t.equal(
    await deathOf(other, silenced, untold.answered),
    Number.POSITIVE_INFINITY,
    'a cached link lives on without a notification',
  );
  const surplus = await surplusAt(other.origin, holder);
  t.ok(surplus.includes(`${silenced} at ${other.origin} is alive: 200`), 'the check at the end finds it too');
  await scene.sql('alter table images enable trigger images_deleted_links');
}

async function checkHoldings(t: Test, scene: Scene): Promise<void> {
  const one = scene.slots[0]?.origin ?? '';
  const { holders, findings } = await someLoad(scene, 20);
  const [holder, second, third] = holders as [Holder, Holder, Holder];

  t.same(findings, []);
  t.same(holders.flatMap(unanswered), [], 'every file is confirmed');
  t.same(await lossesAt(one, holder), [], 'nothing is lost');
  t.same(await surplusAt(one, holder), []);
  t.same(await strayBytes(scene), []);
  await checkDeaths(t, scene, holder);

  const doubled = oneOf(second);
  second.ledger.kept.delete(doubled.id);
  t.match(await surplusAt(one, second), [/was never answered, and listed/], 'a second copy of a picture is found');
  t.match(unanswered(second), [`${doubled.filename} was sent, and never answered`]);
  second.ledger.gone.set(doubled.id, doubled);
  t.match(await surplusAt(one, second), [/is deleted, and listed/, /is alive: 200/, /is alive: 200/]);
  const liar = await startLiar(t, one);
  liar.tell(listOf((images) => [...images, ...images.slice(-1)]));
  t.match(await surplusAt(liar.origin, third), [/is stored once, and listed/], 'a picture is listed twice');

  const changed = oneOf(third);
  third.ledger.sent.set(changed.filename, 'another hash');
  t.match(await lossesAt(one, third), [changed.path], 'changed bytes are found');

  // Uploads two with unique bytes, since all the random ones may share theirs.
  await uploadInto(second.ledger, one, second.account, await pictures(2));
  const [lost, renamed] = await unshared(scene, second);
  await scene.sql(`delete from images where id = '${lost?.id}'`);
  t.match(await lossesAt(one, second), [`${lost?.filename} is not listed at ${one}`], 'a missing row is found');
  await scene.sql(`update images set extension = 'png' where id = '${renamed?.id}'`);
  // Assigned to a running process that does not know about them, so nobody sweeps them.
  await scene.sql(`insert into orphaned_blobs (image_id, extension, process)
    select gen_random_uuid(), 'jpg', (classid::bigint << 32) | objid::bigint from pg_locks
    where locktype = 'advisory' and objsubid = 1 and classid::bigint >= 1 << 30 limit 1`);
  const strays = await strayBytes(scene, soon);
  t.ok(strays.some((line) => line.includes(`${lost?.id}.jpg belongs to no row`)));
  t.ok(strays.some((line) => line.includes(`${renamed?.id}.png, which does not exist`)));
  t.ok(strays.includes('1 rows in orphaned_blobs'));
}

const listOf =
  (change: (images: ImagePage['images']) => ImagePage['images'], query = 'page='): Lie =>
  ({ path }, { status, body }) => {
    if (status !== 200 || !path.startsWith(`/api/images/?${query}`)) return undefined;
    const page = JSON.parse(body) as ImagePage;
    return { body: JSON.stringify({ ...page, images: change(page.images) }) };
  };

/** Replaces a good answer by another one. */
const instead =
  (method: string, path: RegExp, say: (answer: Answer) => ReturnType<Lie>): Lie =>
  (asked, answer) =>
    asked.method === method && path.test(asked.path) && answer.status < 300 ? say(answer) : undefined;

const original = /^\/i\/[^/]+$/;
const uploading = /^\/api\/images\/upload$/;
const deleting = /^\/api\/images\/delete\//;

/** Each lie, and the finding that a client must report. */
const lies: [Lie, RegExp][] = [
  [listOf(() => []), /was not listed$/],
  [listOf(() => [], 'search='), /was not found$/],
  [instead('GET', original, ({ bytes }) => ({ body: bytes.toReversed() })), /was not what had been uploaded$/],
  [instead('GET', /thumbnail/, () => ({ status: 404 })), /thumbnail.webp was not there$/],
  [
    instead('POST', uploading, ({ body }) => {
      const { images, rejected } = JSON.parse(body) as UploadAnswer;
      return { body: JSON.stringify({ images: images.slice(1), rejected }) };
    }),
    /of an upload of \S+ were answered/,
  ],
  [instead('DELETE', deleting, () => ({ status: 404, body: '' })), /was sent once, and answered with 404$/],
  [instead('GET', /^\/api\/images\/\?/, () => ({ status: 500 })), /a list was answered with 500/],
  [instead('GET', /^\/api\/images\/\?/, () => ({ status: 401 })), /a list was answered with 401/],
  [instead('GET', original, () => ({ status: 500 })), /a link was answered with 500/],
  [instead('POST', uploading, () => ({ status: 500 })), /an upload was answered with 500/],
  [instead('DELETE', deleting, () => ({ status: 500, body: '' })), /a deletion was answered with 500/],
  [instead('PATCH', /^\/api\/uploads\//, () => ({ status: 500, body: '' })), /response code: 500/],
];

async function checkLies(t: Test, scene: Scene): Promise<void> {
  const [slot] = scene.slots as [Slot];
  const liar = await startLiar(t, slot.origin);
  const load = await startLoad({ ...scene, origin: liar.origin }, createFigures(), 'rolling restart');
  await eventually('pictures are stored', () => load.holders.every(({ ledger }) => ledger.kept.size > 5));
  t.same(load.findings, [], 'nothing is found while nothing is wrong');
  for (const [lie, finding] of lies) {
    const before = load.findings.length;
    liar.tell(lie);
    await eventually(`the finding ${finding}`, () => load.findings.slice(before).some((line) => finding.test(line)));
    liar.tell(undefined);
  }
  t.same(load.failedCalls, []);
  liar.tell(instead('POST', uploading, () => ({ status: 502 })));
  await eventually('an upload fails', () => load.failedCalls.some((line) => /upload: 502/.test(line)));
  liar.tell(undefined);
  await load.stop();
  const surplus = await Promise.all(load.holders.map((holder) => surplusAt(slot.origin, holder)));
  t.ok(load.holders.flatMap(unanswered).length > 0, 'a picture missing in an answer is found');
  t.ok(
    surplus.flat().some((line) => /was never answered, and listed/.test(line)),
    'the process that lists it is named',
  );
}

async function checkRestart(t: Test, scene: Scene): Promise<void> {
  const [slot] = scene.slots;
  if (!slot) throw new Error('no process is running');
  const figures: Figures = createFigures();
  const load = await startLoad({ ...scene, origin: slot.origin }, figures, 'rolling restart');
  const { list } = figures.tallies['rolling restart'];
  await slot.stop();
  await eventually('lists fail', () => list.failed > 0);
  await slot.start();
  await load.stop();
  t.same(load.findings, []);
  t.ok(
    load.failedCalls.some((line) => / list: /.test(line)),
    'a list call to a stopped process counts as failed',
  );
}

tap.setTimeout(600_000);
tap.test(
  'the proof finds lost pictures, live deleted links and failed calls',
  { skip: withoutNginx || withoutPostgres || withoutChosen, timeout: 600_000 },
  async (t) => {
    const scene = await startScene(t, chosenKind);
    await checkRestart(t, scene);
    await checkHoldings(t, scene);
    // Last, since an aborted resumable upload leaves its bytes for a day.
    await checkLies(t, scene);
  },
);
