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

function stateOf({ parts = [''] }: Goal, of: Measurement[]): string {
  if (of.length === 0) return 'not measured';
  if (of.some(({ held }) => !held)) return 'NOT HELD';
  const missing = parts.filter((part) => !of.some((measurement) => (measurement.part ?? '') === part));
  return missing.length === 0 ? 'held' : `partly: ${parts.length - missing.length} of ${parts.length}`;
}

/** Where many parts saw what they should, how many; else what each saw. What was not held is told in every case. */
function seenOf(of: Measurement[]): string {
  const told = (list: Measurement[]) => list.map(({ part, seen }) => (part ? `${part}: ${seen}` : seen)).join('; ');
  const failed = of.filter(({ held }) => !held);
  if (failed.length > 0) return told(failed);
  return of.length > 5 ? `${of.length} as stated` : told(of);
}

function rowOf(goal: Goal, all: Measurement[]): Row {
  const of = all.filter((measurement) => measurement.goal === goal.id);
  return { id: goal.id, goal: goal.goal, number: goal.number, seen: seenOf(of) || '-', state: stateOf(goal, of) };
}

/** The table of all goals. A goal that this run did not measure, or not in all its parts, is never called held. */
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
