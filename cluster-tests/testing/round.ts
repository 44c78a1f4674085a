/** Three processes behind nginx, on one database and storage: killed, cut off and restarted under load. */
import { randomInt } from 'node:crypto';
import tap, { type Test } from 'tap';
import { eventually } from '../../server/testing/eventually.ts';
import { withoutPostgres } from '../../trust-tests/testing/machine/tools.ts';
import { lossesAt, strayBytes, surplusAt, unanswered } from './checks.ts';
import { createFigures, type Fault, type Figures, tell } from './figures.ts';
import { type Load, startLoad } from './load.ts';
import { withoutNginx } from './proxy.ts';
import { type Scene, startScene } from './scene.ts';
import { chosenKind, withoutChosen } from './shared-storage.ts';

export type Size = {
  accounts: number;
  /** Answers or refusals that the round waits for before each fault. */
  enough: number;
  kills: number;
};

type Parts = { scene: Scene; load: Load; figures: Figures } & Size;

/** Waits for events instead of a time, so that a slow machine runs the same round. */
const more = (what: string, { enough }: Parts, count: () => number) => {
  const before = count();
  return eventually(what, () => count() >= before + enough);
};

const uploadsGoOn = (parts: Parts) => more('uploads are answered', parts, () => parts.figures.uploads);

async function kill(parts: Parts): Promise<void> {
  const { scene, figures, kills } = parts;
  for (let count = 0; count < kills; count += 1) {
    await uploadsGoOn(parts);
    const slot = scene.slots[randomInt(scene.slots.length)];
    await slot?.kill();
    figures.killed += 1;
    await slot?.start();
  }
}

async function cutStorage(parts: Parts): Promise<void> {
  const { scene, figures } = parts;
  const { upload, list } = figures.tallies['storage cut off'];
  await scene.storage.cut();
  await more('uploads are refused', parts, () => upload.failed);
  await more('lists are still answered', parts, () => list.made - list.failed);
  await scene.storage.mend();
  await Promise.all(scene.slots.map((slot) => slot.untilReady()));
  await uploadsGoOn(parts);
}

async function restartDatabase(parts: Parts): Promise<void> {
  const { scene, figures } = parts;
  const { upload, deletion } = figures.tallies['database restarted'];
  await scene.database.stopAtOnce();
  // A writer repeats the call that it is at: all of them may be at deletions.
  await more('uploads and deletions are refused', parts, () => upload.failed + deletion.failed);
  await scene.database.start();
  await Promise.all(scene.slots.map((slot) => slot.untilReady()));
  await uploadsGoOn(parts);
}

async function restartAll(parts: Parts, t: Test): Promise<void> {
  const { scene, figures } = parts;
  for (const slot of scene.slots) {
    await uploadsGoOn(parts);
    t.equal(await slot.stop(), 0, 'it stops without a kill');
    await slot.start();
    figures.restarted += 1;
  }
  await uploadsGoOn(parts);
}

type Make = (parts: Parts, t: Test) => Promise<void>;

/** In this order, since the processes started last sweep what earlier faults left. */
const making: Record<Fault, Make> = {
  kills: kill,
  'storage cut off': cutStorage,
  'database restarted': restartDatabase,
  'rolling restart': restartAll,
};

/** Checks every process while no call is in progress. */
async function checkSurplus(t: Test, { scene, load }: Parts): Promise<void> {
  for (const { origin } of scene.slots) {
    const surplus = await Promise.all(load.holders.map((holder) => surplusAt(origin, holder)));
    t.same(surplus.flat(), [], 'nothing is stored that should not be');
  }
}

async function round(t: Test, scene: Scene, figures: Figures, size: Size): Promise<void> {
  const load = await startLoad(scene, figures, 'kills', size.accounts);
  const parts = { scene, load, figures, ...size };
  try {
    for (const [fault, make] of Object.entries(making) as [Fault, Make][]) {
      if (fault === 'rolling restart') {
        // Before the restart, since a restarted process has lost its caches.
        await load.stop();
        await checkSurplus(t, parts);
      }
      const start = performance.now();
      load.under(fault);
      if (fault === 'rolling restart') load.goOn();
      await make(parts, t);
      figures.seconds[fault] += (performance.now() - start) / 1000;
    }
  } catch (error) {
    load.abandon();
    t.comment(load.findings.join('\n'));
    throw error;
  }
  await load.stop();
  figures.rounds += 1;
  t.same(load.findings, [], 'every answer agrees with earlier ones');
  if (load.failedCalls.length > 0) t.comment(scene.proxyLog());
  t.same(load.failedCalls, [], 'no call failed in the rolling restart');
  t.same(load.holders.flatMap(unanswered), [], 'every file that was sent is stored or was deleted');
  for (const { origin } of scene.slots) {
    const losses = await Promise.all(load.holders.map((holder) => lossesAt(origin, holder)));
    figures.lost += losses.flat().length;
    t.same(losses.flat(), [], 'no confirmed upload is lost');
  }
  await checkSurplus(t, parts);
  t.same(await strayBytes(scene), [], 'rows and bytes match');
}

/** Milliseconds allowed for a round: several times the usual. */
const longest = 600_000;

export function proof(name: string, rounds: number, size: Size): void {
  const timeout = (rounds + 1) * longest;
  tap.setTimeout(timeout);
  tap.test(name, { skip: withoutNginx || withoutPostgres || withoutChosen, timeout }, async (t) => {
    const scene = await startScene(t, chosenKind);
    const figures = createFigures();
    for (let number = 1; number <= rounds; number += 1) {
      await t.test(`round ${number}`, { timeout: longest }, (t) => round(t, scene, figures, size));
      tell(`Three processes behind nginx, storage ${chosenKind}`, figures);
    }
  });
}
