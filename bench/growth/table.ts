/** The needs of several numbers of users, and the limits they exceed, as Markdown tables. */
import type { Costs } from './costs.ts';
import { type Need, needOf } from './model.ts';
import { simulate, type Waits } from './simulate.ts';

const steps = [1e3, 1e6, 1e8];
const whole = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2, notation: 'standard' });
const count = (value: number) => whole.format(value);

/** Two significant digits with a unit prefix. */
function told(value: number, unit: string): string {
  const prefixes = ['', 'k', 'M', 'G', 'T', 'P', 'E'];
  let at = 0;
  let rest = value;
  for (; rest >= 1000 && at < prefixes.length - 1; at += 1) rest /= 1000;
  return `${count(rest)} ${prefixes[at]}${unit}`;
}

const perSecond = (rate: number) => (rate < 0.1 ? `${count(rate * 60)}/min` : `${count(rate)}/s`);
const times = ({ median, p99 }: Waits) => `${median.toFixed(1)}; ${p99.toFixed(1)} ms`;
const dollars = (value: number) => (value < 1 ? `$${value.toFixed(3)}` : `$${count(value)}`);

type Step = { need: Need; costs: Costs };
type Line = [name: string, tell: (step: Step) => string];

const lines: Line[] = [
  ['uploads; lists, busiest hour', ({ need }) => `${perSecond(need.rates.uploads)}; ${perSecond(need.rates.lists)}`],
  ['thumbnails; screens', ({ need }) => `${perSecond(need.rates.thumbnails)}; ${perSecond(need.rates.screens)}`],
  ['processors at work', ({ need }) => count(need.busy)],
  ['**processes**, of one core each', ({ need }) => `**${count(need.cores)}**`],
  ['list call, median; slowest hundredth', ({ need, costs }) => times(simulate(need, costs))],
  ['the same with one process away', ({ need, costs }) => (need.cores > 1 ? times(simulate(need, costs, 1)) : '-')],
  ['images held', ({ need }) => told(need.images, '')],
  ['**storage**', ({ need }) => `**${told(need.stored, 'B')}**`],
  ['rows and indexes', ({ need }) => told(need.rows, 'B')],
  ['of them in memory', ({ need }) => told(need.workingSet, 'B')],
  ['**Postgres**, cores; shards', ({ need }) => `**${count(need.databaseCores)}; ${count(need.shards)}**`],
  ['transactions; log', ({ need }) => `${perSecond(need.transactions)}; ${told(need.logBits, 'bit/s')}`],
  ['sessions without a pooler', ({ need }) => count(need.sessions)],
  ['out; in', ({ need }) => `${told(need.sentBits, 'bit/s')}; ${told(need.receivedBits, 'bit/s')}`],
  ['servers, a month', ({ need }) => dollars(need.monthly.servers)],
  ['Postgres with a standby', ({ need }) => dollars(need.monthly.database)],
  ['storage and its calls', ({ need }) => dollars(need.monthly.storage)],
  ['traffic', ({ need }) => `${dollars(need.monthly.traffic)}${need.withCdn ? ' by a CDN' : ''}`],
  ['**together; for a user**', ({ need }) => `**${dollars(need.monthly.total)}; ${dollars(need.monthly.each)}**`],
];

const head = (first: string[]) => [...first, ...steps.map((users) => `${count(users)} users`)];

/** The limits in the order they are exceeded: at how many users, and how many times at each step. */
function limitsOf(needs: Need[]): string[][] {
  const [last] = needs.slice(-1);
  const rows = (last?.loads ?? []).map(({ name, now, most, next }) => {
    const from = (most / now) * (last?.users ?? 0);
    const times = steps.map((users) => (users < from ? '-' : `${count(users / from)} times`));
    return [name, count(from), next, ...times];
  });
  return [head(['limit, the first one first', 'passed at, users', 'takes over']), ...rows];
}

function markdown([first = [], ...rows]: string[][]): string {
  const widths = first.map((_, column) => Math.max(3, ...[first, ...rows].map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [line(first), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

export function tablesOf(costs: Costs): string {
  const needs = steps.map((users) => needOf(users, costs));
  const rows = lines.map(([name, tell]) => [name, ...needs.map((need) => tell({ need, costs }))]);
  return [markdown([head(['']), ...rows]), markdown(limitsOf(needs))].join('\n\n');
}
