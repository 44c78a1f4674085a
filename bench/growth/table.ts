/** The needs of several numbers of users, as a table in Markdown. */
import type { Costs } from './costs.ts';
import { type Need, needOf } from './model.ts';
import { simulate, type Waits } from './simulate.ts';

const steps = [1e3, 1e6, 1e8];
const whole = new Intl.NumberFormat('en-US', { maximumSignificantDigits: 2, notation: 'standard' });
const count = (value: number) => whole.format(value);

/** Two digits that count, with the prefix that leaves the fewest others. */
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

const limit =
  (place: number) =>
  ({ need }: Step) => {
    const load = need.loads[place];
    if (!load || load.now < load.most) return place === 0 && load ? `none; nearest: ${load.name}` : '';
    return `${load.name}, ${count(load.now / load.most)} times → ${load.next}`;
  };

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
  ['passed first', limit(0)],
  ['then', limit(1)],
  ['then', limit(2)],
  ['then', limit(3)],
];

export function tableOf(costs: Costs): string {
  const needs = steps.map((users) => ({ need: needOf(users, costs), costs }));
  const head = ['', ...steps.map((users) => `${count(users)} users`)];
  const rows = lines.map(([name, tell]) => [name, ...needs.map(tell)]);
  const table = [head, ...rows];
  const widths = head.map((_, column) => Math.max(3, ...table.map((cells) => cells[column]?.length ?? 0)));
  const line = (cells: string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
