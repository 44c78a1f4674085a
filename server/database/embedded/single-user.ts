import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandOf } from './launcher.ts';
import { mayPass, type Place, stopLeftBehind } from './postmaster.ts';
import { settings } from './settings.ts';

/**
 * Runs statements as the superuser in single-user mode, each in a transaction, and returns all output. Stops a Postgres
 * that a killed server left running.
 */
export async function runAsSuperuser(place: Place, database: string, statements: readonly string[]): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    const strangerPid = await stopLeftBehind(place);
    const output = await runOnce(place, database, statements, strangerPid);
    if (attempt >= 10 || !mayPass(output)) return output;
    await sleep(100 * (attempt + 1));
  }
}

async function runOnce(place: Place, database: string, statements: readonly string[], strangerPid?: number) {
  const { cluster, binaries, launcher, address } = place;
  // -j: a statement ends at a semicolon and an empty line.
  const words = ['--single', '-j', '-D', cluster, ...settings(address), database];
  const { command, args, options } = commandOf(launcher, binaries.postgres, words);
  const child = spawn(command, args, {
    ...options,
    env: { ...options.env, ...(strangerPid && { PG_GRANDPARENT_PID: String(strangerPid) }) },
    // Out of reach of the terminal's Ctrl-C. It ends with its input, also when the server is killed.
    detached: true,
    windowsHide: true,
    stdio: 'pipe',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  child.stdin.on('error', () => {});
  child.stdin.end(statements.map((statement) => `${statement.replaceAll(/\n\s*\n/g, '\n')};\n\n`).join(''));
  const ended = await once(child, 'close').catch((error: Error) => error);
  return ended instanceof Error ? ended.message : output;
}
