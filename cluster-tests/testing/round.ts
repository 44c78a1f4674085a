/** Three processes behind nginx on one database and one storage: killed, cut off and restarted while calls come in. */
import { randomInt } from 'node:crypto';
import tap, { type Test } from 'tap';
import { eventually } from '../../server/testing/eventually.ts';
import { withoutPostgres } from '../../trust-tests/testing/tools.ts';
import { lossesAt, strayBytes, surplusAt, unanswered } from './checks.ts';
import { createFigures, type Fault, type Figures, tell } from './figures.ts';
import { type Load, startLoad } from './load.ts';
import { withoutNginx } from './proxy.ts';
import { type Scene, startScene } from './scene.ts';
import { chosenKind, withoutChosen } from './shared-storage.ts';

export type Size = {
  /** Accounts at work, each with three clients. */
  accounts: number;
  /** Answers, or refusals, for which the round waits before it does the next thing to the cluster. */
  enough: number;
  kills: number;
};

type Parts = { scene: Scene; load: Load; figures: Figures } & Size;

/** Waits for events, not for a time: so a slow machine has the same round. */
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
  await more('lists are answered all the same', parts, () => list.made - list.failed);
  await scene.storage.mend();
  await Promise.all(scene.slots.map((slot) => slot.untilReady()));
  await uploadsGoOn(parts);
}

async function restartDatabase(parts: Parts): Promise<void> {
  const { scene, figures } = parts;
  const { upload } = figures.tallies['database restarted'];
  await scene.database.stopAtOnce();
  await more('uploads are refused', parts, () => upload.failed);
  await scene.database.start();
  await Promise.all(scene.slots.map((slot) => slot.untilReady()));
  await uploadsGoOn(parts);
}

async function restartAll(parts: Parts, t: Test): Promise<void> {
  const { scene, figures } = parts;
  for (const slot of scene.slots) {
    await uploadsGoOn(parts);
    t.equal(await slot.stop(), 0, 'it stops by itself');
    await slot.start();
    figures.restarted += 1;
  }
  await uploadsGoOn(parts);
}

type Make = (parts: Parts, t: Test) => Promise<void>;

/** In this order: what starts last sweeps what was left before. */
const making: Record<Fault, Make> = {
  kills: kill,
  'storage cut off': cutStorage,
  'database restarted': restartDatabase,
  'rolling restart': restartAll,
};

/** Asked of every process, while no call is under way. */
async function checkSurplus(t: Test, { scene, load }: Parts): Promise<void> {
  for (const { origin } of scene.slots) {
    const surplus = await Promise.all(load.holders.map((holder) => surplusAt(origin, holder)));
    t.same(surplus.flat(), [], 'nothing is there that should not be');
  }
}

async function round(t: Test, scene: Scene, figures: Figures, size: Size): Promise<void> {
  const load = await startLoad(scene, figures, 'kills', size.accounts);
  const parts = { scene, load, figures, ...size };
  try {
    for (const [fault, make] of Object.entries(making) as [Fault, Make][]) {
      if (fault === 'rolling restart') {
        // Asked of those that have lived through it: a process that is started anew has forgotten what it held.
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
  t.same(load.findings, [], 'every answer agrees with those before it');
  if (load.failedCalls.length > 0) t.comment(scene.proxyLog());
  t.same(load.failedCalls, [], 'no call failed in the rolling restart');
  t.same(load.holders.flatMap(unanswered), [], 'every file that was sent is kept, or was deleted');
  for (const { origin } of scene.slots) {
    const losses = await Promise.all(load.holders.map((holder) => lossesAt(origin, holder)));
    figures.lost += losses.flat().length;
    t.same(losses.flat(), [], 'no upload that was answered is lost');
  }
  await checkSurplus(t, parts);
  t.same(await strayBytes(scene), [], 'rows and bytes are the same');
}

/** Milliseconds for a round: several times what it takes. */
const longest = 600_000;

/** Makes so many rounds of this size with one cluster. */
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
