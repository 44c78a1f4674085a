import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandOf } from './launcher.ts';
import { isTransient, type StartParameters, stopOrphan } from './postmaster.ts';
import { settings } from './settings.ts';

/**
 * Runs statements as the superuser in single-user mode, each in a transaction, and returns all output. Stops a Postgres
 * that a killed server left running.
 */
export async function runAsSuperuser(
  parameters: StartParameters,
  database: string,
  statements: readonly string[],
): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    const foreignPid = await stopOrphan(parameters);
    const output = await runOnce(parameters, database, statements, foreignPid);
    if (attempt >= 10 || !isTransient(output)) return output;
    await sleep(100 * (attempt + 1));
  }
}

async function runOnce(
  parameters: StartParameters,
  database: string,
  statements: readonly string[],
  foreignPid?: number,
) {
  const { cluster, binaries, launcher, address } = parameters;
  // -j: a statement ends at a semicolon and an empty line.
  const postgresArgs = ['--single', '-j', '-D', cluster, ...settings(address), database];
  const { command, args, options } = commandOf(launcher, binaries.postgres, postgresArgs);
  const child = spawn(command, args, {
    ...options,
    env: { ...options.env, ...launcher.userName, ...(foreignPid && { PG_GRANDPARENT_PID: String(foreignPid) }) },
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
