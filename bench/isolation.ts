/**
 * Measures the cost of decoder isolation for an upload: a server with isolation and one without, in turns.
 * `--base=<checkout>` compares with the built server of another checkout instead. See README.md.
 */
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../server/testing/free-port.ts';
import { parseMetrics } from '../server/testing/metrics.ts';
import type { Bench, Measure } from './bench.ts';
import { photographs } from './pictures/photographs.ts';
import { type BenchServer, type ServerOptions, shipped, startServer } from './product/bench-server.ts';
import { compareUploads, uploadAll } from './upload.ts';

/** The promised bound: the throughput of uploads stays within 3 %. */
const LEAST = 0.97;

/** Without background renditions, so that one server is idle while the other is measured. */
const usual = { RENDITIONS_AHEAD: 'off' };

/** @returns the level at which a server isolates its decoders, once it has chosen one */
async function levelAt(metricsPort: number): Promise<string> {
  for (;;) {
    const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const chosen = parseMetrics(text).find(({ name, value }) => name === 'gallery_decoder_isolation' && value === 1);
    if (chosen) return chosen.labels.level ?? '';
    await sleep(100);
  }
}

async function startAt(
  bench: Bench,
  environment: ServerOptions['environment'],
): Promise<{ server: BenchServer; level: string }> {
  const metricsPort = await freePort();
  const variables = { ...usual, METRICS_PORT: String(metricsPort), ...environment };
  const server = await startServer(bench, { environment: variables });
  return { server, level: await levelAt(metricsPort) };
}

/** Starts a server whose `perl` refuses every level, since no setting turns isolation off. */
async function startUncaged(bench: Bench): Promise<BenchServer> {
  const folder = await bench.folder();
  await writeFile(join(folder, 'perl'), '#!/bin/sh\necho "no cage in this bench" >&2\nexit 125\n', { mode: 0o755 });
  const { server, level } = await startAt(bench, { PATH: `${folder}:${process.env.PATH}` });
  if (level !== 'process') throw new Error(`The server without a cage isolates its decoders at level ${level}.`);
  return server;
}

function startBase(bench: Bench, checkout: string): Promise<BenchServer> {
  const program = [...shipped.slice(0, -1), join(resolve(checkout), 'build', 'program', 'main.js')];
  return startServer(bench, { environment: usual, program });
}

export const measure: Measure = async (bench) => {
  const all = await photographs(bench.say);
  const { base } = bench.options;
  if (base === true) throw new Error('--base needs a folder: --base=<checkout>');
  const caged = await startAt(bench, { DECODER_ISOLATION: 'required' });
  const limit = await (base === undefined ? startUncaged(bench) : startBase(bench, base));
  bench.say(`uploads, decoders isolated at level ${caged.level} …`);
  // Warms up both servers.
  for (const server of [caged.server, limit]) await uploadAll(server, all.slice(0, 8));
  return compareUploads(bench, [caged.server, limit], all, {
    against: base === undefined ? 'no cage' : `base ${base}`,
    goal: { atLeast: LEAST },
  });
};
