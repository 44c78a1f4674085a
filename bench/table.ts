import type { Goal, Judged, Spread } from './figure.ts';

const HEAD = ['figure', 'unit', 'ours', 'limit', 'ratio', 'goal', ''];

/** Three significant digits. */
function digits(value: number): string {
  if (!Number.isFinite(value)) return '-';
  const size = Math.abs(value);
  return size >= 100 ? value.toFixed(0) : size >= 10 ? value.toFixed(1) : value.toFixed(size >= 1 ? 2 : 3);
}

const told = (spread: Spread | undefined) =>
  spread ? `${digits(spread.median)} (${digits(spread.lowest)}–${digits(spread.highest)})` : '';

function goalOf(goal: Goal | undefined, hasLimit: boolean): string {
  if (goal === undefined) return '';
  const bound = 'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`;
  return hasLimit && goal.of !== 'ours' ? `ratio ${bound}` : bound;
}

const stateOf = (held: boolean | undefined) => (held === undefined ? '' : held ? 'held' : 'MISSED');

/** Prints the median and, in brackets, the range of each figure. */
export function tableOf(figures: Judged[]): string {
  const rows = figures.map(({ name, unit, against, ours, limit, ratio, goal, held }) => [
    against ? `${name} / ${against}` : name,
    unit,
    told(ours),
    told(limit),
    told(ratio),
    goalOf(goal, limit !== undefined),
    stateOf(held),
  ]);
  const lines = [HEAD, ...rows];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
