/** Whether the proof would see what it looks for: each fault is planted once. */
import { setTimeout as sleep } from 'node:timers/promises';
import tap, { type Test } from 'tap';
import { call } from '../trust-tests/testing/call.ts';
import { eventually } from '../trust-tests/testing/eventually.ts';
import { withoutPostgres } from '../trust-tests/testing/tools.ts';
import { lossesAt, strayBytes, surplusAt } from './testing/checks.ts';
import { thumbnailOf } from './testing/client.ts';
import { deathOf } from './testing/death.ts';
import { createFigures } from './testing/figures.ts';
import { type Holder, type Load, startLoad } from './testing/load.ts';
import { withoutNginx } from './testing/proxy.ts';
import { type Scene, startScene } from './testing/scene.ts';
import { chosenKind, withoutChosen } from './testing/shared-storage.ts';

/** Seconds that strays have to be swept. */
const soon = 3;

/** Clients at work until so many uploads are answered. */
async function someLoad(scene: Scene, uploads: number): Promise<Load> {
  const figures = createFigures();
  const load = await startLoad(scene, figures, 'kills');
  await eventually('uploads are answered', () => figures.uploads >= uploads);
  await load.stop();
  return load;
}

/** One that is kept. */
function oneOf({ ledger }: Holder) {
  const [picture] = ledger.kept.values();
  if (!picture) throw new Error('nothing was uploaded');
  return picture;
}

/** Two whose bytes are no other's. */
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

async function checkAll(t: Test, scene: Scene): Promise<void> {
  const [one, other] = scene.slots.map(({ origin }) => origin) as [string, string];
  const [holder, second, third] = (await someLoad(scene, 20)).holders as [Holder, Holder, Holder];

  t.same(await lossesAt(one, holder), [], 'nothing is lost');
  t.same(await surplusAt(one, holder), []);
  t.same(await strayBytes(scene), []);

  const { path } = oneOf(holder);
  await call(other, path);
  const { answered } = await deleteAt(one, holder);
  t.ok(Number(await deathOf(other, path, answered)) < 1000, 'a deleted link dies');

  // The bytes of an original are gone for all; what stands in memory is told of.
  const silenced = thumbnailOf(oneOf(holder));
  await scene.sql('alter table images disable trigger images_deleted_links');
  // Kept in memory only once the process knows that it is told of changes.
  for (let times = 0; times < 40; times += 1) await call(other, silenced).then(() => sleep(25));
  const later = await deleteAt(one, holder);
  t.equal(await deathOf(other, silenced, later.answered), Number.POSITIVE_INFINITY, 'unless nobody tells of it');
  await scene.sql('alter table images enable trigger images_deleted_links');

  const torn = oneOf(second);
  second.ledger.open.add([torn.filename, 'of the same upload.jpg']);
  t.match(await surplusAt(one, second), [/some are there, and not all/]);
  second.ledger.open.clear();
  second.ledger.kept.delete(torn.id);
  second.ledger.gone.set(torn.id, torn);
  t.match(await surplusAt(one, second), [/is deleted, and listed/, /is alive/]);

  const changed = oneOf(third);
  third.ledger.sent.set(changed.filename, 'another hash');
  t.match(await lossesAt(one, third), [changed.path], 'other bytes are a loss');

  const [lost, renamed] = await unshared(scene, second);
  await scene.sql(`delete from images where id = '${lost?.id}'`);
  t.match(await lossesAt(one, second), [`${lost?.filename} is not listed at ${one}`], 'a row that is gone is a loss');
  await scene.sql(`update images set extension = 'png' where id = '${renamed?.id}'`);
  const strays = await strayBytes(scene, soon);
  t.ok(strays.some((line) => line.includes(`${lost?.id}.jpg belongs to no row`)));
  t.ok(strays.some((line) => line.includes(`${renamed?.id}.png, which is not there`)));
}

async function checkRestart(t: Test, scene: Scene): Promise<void> {
  const [slot] = scene.slots;
  if (!slot) throw new Error('there is no process');
  const figures = createFigures();
  const load = await startLoad({ ...scene, origin: slot.origin }, figures, 'rolling restart');
  const { list } = figures.tallies['rolling restart'];
  await slot.stop();
  await eventually('lists fail', () => list.failed > 0);
  await slot.start();
  await load.stop();
  t.ok(list.failed > 0, 'a list call that nobody passes on fails, and is counted');
}

tap.setTimeout(600_000);
tap.test(
  'the proof sees what is lost, what lives on, and what fails',
  { skip: withoutNginx || withoutPostgres || withoutChosen, timeout: 600_000 },
  async (t) => {
    const scene = await startScene(t, chosenKind);
    await checkRestart(t, scene);
    await checkAll(t, scene);
  },
);
