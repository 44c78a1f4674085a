import type { Measurement } from '../testing/measured.ts';
import { type Goal, goals } from './goals.ts';

type Row = { id: string; goal: string; number: string; seen: string; state: string };

/** @param text lines of JSON, as `measured` writes them */
function read(text: string): Measurement[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Measurement);
}

const told = (list: Measurement[]) => list.map(({ part, seen }) => (part ? `${part}: ${seen}` : seen)).join('; ');
const breaks = ({ held, unsure }: Measurement) => !held && unsure === undefined;

function stateOf({ parts = [''] }: Goal, of: Measurement[]): string {
  if (of.some(breaks)) return 'NOT HELD';
  const missing = parts.filter((part) => !of.some((each) => each.held && (each.part ?? '') === part));
  if (missing.length === parts.length) return 'not measured';
  if (missing.length > 0) return `partly: ${parts.length - missing.length} of ${parts.length}`;
  const reduced = of.flatMap(({ count }) => (count ? [count] : []));
  const [only] = reduced;
  if (!only) return 'held';
  return reduced.length === 1 ? `held, ${only.made} of ${only.wanted} ${only.what}` : `held, ${reduced.length} reduced`;
}

/** @returns failures; else how many parts were as stated or what each measured, with reduced counts and unsure parts */
function seenOf({ parts }: Goal, of: Measurement[]): string {
  const failed = of.filter(breaks);
  if (failed.length > 0) return told(failed);
  const unsure = of.flatMap(({ part = '', seen, held, unsure }) =>
    !held && unsure ? [`${part} ${seen}, not measurable here: ${unsure}`.trim()] : [],
  );
  const shown = of.filter(({ held, part }) => held && (part !== undefined || !parts));
  const reduced = of.flatMap(({ part = '', count }) =>
    count ? [`${part} ${count.made} of ${count.wanted} ${count.what}`.trim()] : [],
  );
  const main = shown.length > 5 ? [`${shown.length} as stated`] : shown.length > 0 ? [told(shown)] : [];
  return [...main, ...(reduced.length > 1 ? reduced : []), ...unsure].join('; ');
}

function rowOf(goal: Goal, all: Measurement[]): Row {
  const of = all.filter((measurement) => measurement.goal === goal.id);
  return { id: goal.id, goal: goal.goal, number: goal.number, seen: seenOf(goal, of) || '-', state: stateOf(goal, of) };
}

/** Builds the table of all goals. A goal that was not measured in all its parts is never reported as held. */
export function reportOf(text: string): { table: string; broken: boolean } {
  const head: Row = { id: '', goal: 'goal', number: 'to hold', seen: 'measured', state: '' };
  const all = read(text);
  const rows = [head, ...goals.map((goal) => rowOf(goal, all))];
  const width = (key: keyof Row) => Math.max(...rows.map((row) => row[key].length));
  const [id, goal, number, state] = [width('id'), width('goal'), width('number'), width('state')];
  const line = (row: Row) =>
    `${row.id.padEnd(id)}  ${row.state.padEnd(state)}  ${row.goal.padEnd(goal)}  ${row.number.padEnd(number)}  ${row.seen}`;
  return { table: rows.map(line).join('\n'), broken: rows.some((row) => row.state === 'NOT HELD') };
}
