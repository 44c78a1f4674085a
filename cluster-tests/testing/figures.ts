/** What a run of the proof counted. */
import { writeFileSync } from 'node:fs';

/** What is done to the cluster while calls come in. */
export const faults = ['kills', 'storage cut off', 'database restarted', 'rolling restart'] as const;
export type Fault = (typeof faults)[number];

const calls = ['list', 'view', 'upload', 'deletion'] as const;
export type CallKind = (typeof calls)[number];

type Tally = { made: number; failed: number };

export type Figures = ReturnType<typeof createFigures>;

export function createFigures() {
  const tallies = Object.fromEntries(
    faults.map((fault) => [fault, Object.fromEntries(calls.map((kind) => [kind, { made: 0, failed: 0 }]))]),
  ) as Record<Fault, Record<CallKind, Tally>>;
  return {
    rounds: 0,
    /** Uploads answered with 201, also those in pieces, and pictures in them. */
    uploads: 0,
    pictures: 0,
    killed: 0,
    /** Processes stopped and started one after another. */
    restarted: 0,
    /** Pictures that were promised and are not there whole, wherever that was seen first. */
    lost: 0,
    /** Links that answered a second after their deletion was answered. */
    livedOn: 0,
    /** Milliseconds until the last deleted link was dead on the last process. */
    slowestDeath: 0,
    /** Calls by what was done meanwhile. A failed upload or deletion was sent again until it was answered. */
    tallies,
    /** What each took, in all rounds. */
    seconds: Object.fromEntries(faults.map((fault) => [fault, 0])) as Record<Fault, number>,
    count(fault: Fault, kind: CallKind, isGood: boolean): void {
      const tally = tallies[fault][kind];
      tally.made += 1;
      if (!isGood) tally.failed += 1;
    },
  };
}

/** The figures as a table, one to a line. */
export function tableOf(about: string, figures: Figures): string {
  const { tallies } = figures;
  const requests = faults.flatMap((fault) => calls.map((kind) => tallies[fault][kind].made));
  const sum = (numbers: number[]) => numbers.reduce((all, each) => all + each, 0);
  const rolling = tallies['rolling restart'];
  const lines: [string, number | string][] = [
    ['rounds', figures.rounds],
    ['requests', sum(requests)],
    ['uploads answered', `${figures.uploads}, pictures in them ${figures.pictures}`],
    ['deletions answered', sum(faults.map((fault) => tallies[fault].deletion.made - tallies[fault].deletion.failed))],
    ['processes killed', figures.killed],
    ['processes restarted, one after another', figures.restarted],
    ['pictures lost', figures.lost],
    ['list calls failed in rolling restarts', rolling.list.failed],
    ['calls failed in rolling restarts', sum(calls.map((kind) => rolling[kind].failed))],
    ['deleted links alive after a second', `${figures.livedOn}, slowest death ${Math.round(figures.slowestDeath)} ms`],
    ...faults.map((fault): [string, string] => [
      `failed / made: ${fault} (${Math.round(figures.seconds[fault])} s)`,
      calls.map((kind) => `${kind} ${tallies[fault][kind].failed} / ${tallies[fault][kind].made}`).join(', '),
    ]),
  ];
  const width = Math.max(...lines.map(([name]) => name.length));
  return [about, ...lines.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)].join('\n');
}

/** Puts the table down for the end of the run (scripts/testing/figures.mjs), instead of an earlier one; without it, nothing. */
export function tell(about: string, figures: Figures): void {
  const file = process.env.GALLERY_CLUSTER_FIGURES;
  if (file) writeFileSync(file, `${tableOf(about, figures)}\n`);
}
