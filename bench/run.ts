/** `npm run bench [-- <name>… --rounds=<n>]`: measures, prints a table and writes bench/results/<name>.json. See README.md. */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createBench, FEWEST_ROUNDS, type Measure } from './bench.ts';
import { writeTables } from './capacity.ts';
import { type Judged, judge } from './figure.ts';
import { describeMachine, watchMachine } from './machine.ts';
import { tableOf } from './table.ts';
import { MissingTool } from './tools/tools.ts';

/** The default order: `capacity` comes last, since it computes from the other results. */
const NAMES = [
  'upload',
  'list',
  'serve',
  'sealed',
  'isolation',
  'memory',
  'start',
  'client',
  'scale',
  'costs',
  'capacity',
];

/** The source folder, seen from build/bench/run.js: the last results are committed. */
const results = join(import.meta.dirname, '..', '..', 'bench', 'results');
const fileOf = (name: string) => join(import.meta.dirname, `${name}.js`);

function readOptions(words: string[]): Record<string, string | true> {
  const named = words.filter((word) => word.startsWith('--')).map((word) => word.slice(2).split('='));
  return Object.fromEntries(named.map(([name = '', value]) => [name, value ?? true]));
}

function readNames(words: string[]): string[] {
  const names = words.filter((word) => !word.startsWith('--'));
  const unknown = names.find((name) => !NAMES.includes(name));
  if (unknown !== undefined)
    throw new Error(`There is no bench "${unknown}": ${NAMES.join(', ')}, or nothing for all.`);
  return names.length > 0 ? names : NAMES.filter((name) => existsSync(fileOf(name)));
}

async function run(name: string, options: Record<string, string | true>): Promise<Judged[]> {
  const rounds = Math.max(1, Math.floor(Number(options.rounds ?? FEWEST_ROUNDS)) || FEWEST_ROUNDS);
  const bench = createBench(rounds, options);
  const stop = () => void bench.end().finally(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  const machine = describeMachine();
  const watch = watchMachine();
  const start = performance.now();
  try {
    const { measure } = (await import(fileOf(name))) as { measure: Measure };
    const figures = (await measure(bench)).map(judge);
    const during = { seconds: Math.round((performance.now() - start) / 1000), ...watch() };
    const command = `npm run bench -- ${name}`;
    // Fewer rounds, single parts and comparisons with another checkout are not stored as results.
    if (rounds >= FEWEST_ROUNDS && options.part === undefined && options.base === undefined) {
      await mkdir(results, { recursive: true });
      const result = { command, date: new Date().toISOString(), machine, during, figures };
      await writeFile(join(results, `${name}.json`), `${JSON.stringify(result, rounded, 2)}\n`);
    }
    console.log(`\n${command} (${during.seconds} s, ${(during.stolen * 100).toFixed(1)} % of the processors stolen)`);
    console.log(tableOf(figures));
    return figures;
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop);
    await bench.end();
  }
}

const rounded = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(5)) : value);

async function main(): Promise<void> {
  const words = process.argv.slice(2);
  const options = readOptions(words);
  for (const name of readNames(words)) {
    try {
      if (name === 'capacity') {
        console.log(await writeTables());
        continue;
      }
      const figures = await run(name, options);
      if (figures.some(({ held }) => held === false)) process.exitCode = 1;
    } catch (error) {
      // A bench that cannot run does not stop the others.
      console.error(error instanceof MissingTool ? `${name}: ${error.message}` : error);
      process.exitCode = 1;
    }
  }
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 2;
});
