import { writeFileSync } from 'node:fs';

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
    /** Confirmed uploads, resumable ones included. */
    uploads: 0,
    pictures: 0,
    killed: 0,
    restarted: 0,
    /** Confirmed pictures that are missing or incomplete. */
    lost: 0,
    /** Links that worked a second after their deletion was answered. */
    livedOn: 0,
    /** Milliseconds until the last deleted link was dead on the last process. */
    slowestDeath: 0,
    /** Calls by fault. A failed upload or deletion is repeated until it is answered. */
    tallies,
    seconds: Object.fromEntries(faults.map((fault) => [fault, 0])) as Record<Fault, number>,
    count(fault: Fault, kind: CallKind, isGood: boolean): void {
      const tally = tallies[fault][kind];
      tally.made += 1;
      if (!isGood) tally.failed += 1;
    },
  };
}

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

/** Writes the table for the end of the run (scripts/testing/figures.mjs) and replaces an earlier one. */
export function tell(about: string, figures: Figures): void {
  const file = process.env.GALLERY_CLUSTER_FIGURES;
  if (file) writeFileSync(file, `${tableOf(about, figures)}\n`);
}
