/** Runs the built client as a user would, with its own folders. */
import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import type { Server } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';
import { temporaryFolder } from '../../server/testing/app.ts';
import { type Running, watchProcess } from '../../server/testing/processes.ts';

/** From build/cli-tests/testing. */
export const program = fileURLToPath(new URL('../../cli/gallery.mjs', import.meta.url));

export type Result = { code: number | null; stdout: string; stderr: string };

export type Client = {
  /** Contains its login and its journals. */
  home: string;
  start(...args: string[]): Running;
  run(...args: string[]): Promise<Result>;
  /** @param input its standard input */
  feed(input: string | Uint8Array, ...args: string[]): Promise<Result>;
};

/** @param env beside the folders, for example GALLERY_URL */
export async function createClient(t: Test, env: Record<string, string> = {}): Promise<Client> {
  const home = join(await temporaryFolder(t), 'home');
  await mkdir(home);
  const variables = Object.entries({ PATH: process.env.PATH ?? '', HOME: home, ...env });
  // `env -i` drops the variables by which tap slows children down.
  const start = (...args: string[]) => {
    const assignments = variables.map(([name, value]) => `${name}=${value}`);
    return watchProcess(t, spawn('/usr/bin/env', ['-i', ...assignments, process.execPath, program, ...args]));
  };
  const feed = async (input: string | Uint8Array, ...args: string[]): Promise<Result> => {
    const running = start(...args);
    running.child.stdin?.on('error', () => {}).end(input);
    const code = await running.ended;
    return { code, stdout: running.stdout(), stderr: running.stderr() };
  };
  return { home, start, feed, run: (...args) => feed('', ...args) };
}

export type Seen = { method: string; path: string; query: URLSearchParams; bytes: number };

/** Records the calls that a server gets from now on. */
export function watchCalls(server: Server, onCall: (seen: Seen) => void = () => {}): Seen[] {
  const calls: Seen[] = [];
  server.on('request', ({ method = '', url = '', headers }) => {
    const { pathname: path, searchParams: query } = new URL(url, 'http://localhost');
    const seen = { method, path, query, bytes: Number(headers['content-length'] ?? 0) };
    calls.push(seen);
    onCall(seen);
  });
  return calls;
}

/** Calls that send a file. */
export const sending = (calls: Seen[]): Seen[] =>
  calls.filter(({ path }) => path === '/api/images/upload' || path.startsWith('/api/uploads'));
