/** Sends requests with wrk: several paths in turn over 64 connections and one thread, or one path with a login. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Bench } from '../bench.ts';
import { tool } from './tools.ts';

const run = promisify(execFile);
const CONNECTIONS = 64;
const SECONDS = 3;
/** Tick of /proc/<pid>/stat: a hundredth of a second on every Linux that Node runs on. */
const TICK_MICROSECONDS = 10_000;

export type Rate = {
  /** Answers and megabytes (10^6) a second. */
  requests: number;
  megabytes: number;
  /** Microseconds of processor time of the server's process per answer. */
  cpu: number;
};

/** Paths to request, with their headers. */
export type Asked = { path: string; headers?: Record<string, string> }[];

const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** @returns the path of a wrk script that requests them in turn */
export async function scriptFor(bench: Bench, asked: Asked): Promise<string> {
  const lines = asked.map(({ path, headers = {} }) => {
    const fields = Object.entries(headers).map(([name, value]) => `[${quoted(name)}]=${quoted(value)}`);
    return `  wrk.format("GET", ${quoted(path)}, {["Host"]=wrk.headers["Host"], ${fields.join(', ')}}),`;
  });
  const script = `local asked
local at = 0
init = function()
  asked = {
${lines.join('\n')}
  }
end
request = function()
  at = at % #asked + 1
  return asked[at]
end
done = function(summary, latency)
  print(string.format('{"requests":%d,"bytes":%d,"us":%d,"status":%d,"socket":%d}', summary.requests, summary.bytes,
    summary.duration, summary.errors.status, summary.errors.read + summary.errors.write + summary.errors.timeout))
end
`;
  const path = join(await bench.folder(), 'asked.lua');
  await writeFile(path, script);
  return path;
}

function processorTime(pid: number): number {
  const [, fields = ''] = /^.*\) (.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
  const [user = '0', system = '0'] = fields.split(' ').slice(11, 13);
  return (Number(user) + Number(system)) * TICK_MICROSECONDS;
}

/** The login, connections and duration of a load; `cores` restricts wrk to some cores. */
type Load = { token: string; connections: number; seconds: number; threads?: number; cores?: string };

/** @returns all answers, and answers a second @throws Error if a request was refused */
export async function askAs({ token, connections, seconds, threads = 1, cores }: Load, url: string) {
  const load = [`-t${threads}`, `-c${connections}`, `-d${seconds}s`, '-H', `authorization: Bearer ${token}`, url];
  const { stdout } = await (cores === undefined
    ? run(tool('wrk'), load)
    : run(tool('taskset'), ['-c', cores, tool('wrk'), ...load]));
  if (/Non-2xx/.test(stdout)) throw new Error(`${url} was refused: ${stdout}`);
  return {
    requests: Number(/(\d+) requests in/.exec(stdout)?.[1]),
    aSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]),
  };
}

/** @throws Error if an answer was an error */
export async function askBy(script: string, { origin, pid }: { origin: string; pid: number }): Promise<Rate> {
  const before = processorTime(pid);
  const words = ['-t1', `-c${CONNECTIONS}`, `-d${SECONDS}s`, '--timeout', '30s', '-s', script, origin];
  const { stdout } = await run(tool('wrk'), words);
  const { requests, bytes, us, status, socket } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '{}');
  if (status > 0 || socket > 0) throw new Error(`${status} answers of ${origin} were errors, ${socket} broke off`);
  return {
    requests: (requests * 1e6) / us,
    megabytes: bytes / us,
    cpu: (processorTime(pid) - before) / requests,
  };
}
