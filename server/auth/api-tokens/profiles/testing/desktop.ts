/** A desktop without a screen: Xvfb, a session bus and a home folder, on which real programs run and xdotool presses keys. */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import type { Test } from 'tap';
import { temporaryFolder } from '../../../../testing/app.ts';
import { eventually } from '../../../../testing/eventually.ts';
import type { Profile } from '../profile.ts';

const run = promisify(execFile);

/** The Debian package of each program. */
const PACKAGES: Readonly<Record<string, string>> = {
  Xvfb: 'xvfb',
  'dbus-daemon': 'dbus',
  xdotool: 'xdotool',
  xclip: 'xclip',
  curl: 'curl',
  flameshot: 'flameshot',
  ksnip: 'ksnip',
};

/** @returns why a test that needs these programs and a desktop is skipped, or false */
export function withoutPrograms(...names: string[]): string | false {
  const needed = ['Xvfb', 'dbus-daemon', 'xdotool', 'xclip', ...names];
  const missing = needed.filter((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0);
  const packages = missing.map((name) => PACKAGES[name] ?? name);
  return missing.length > 0 && `${missing.join(', ')} not installed (Debian: ${packages.join(' ')})`;
}

/** The first line of an output. */
async function firstLine(output: Readable): Promise<string> {
  let text = '';
  while (!text.includes('\n')) text += String((await once(output.setEncoding('utf8'), 'data'))[0]);
  return text.split('\n', 1)[0] ?? '';
}

export type Desktop = {
  home: string;
  /** Writes a file below the home folder, for this user alone. @returns its path */
  place: (name: string, text: string | Uint8Array) => Promise<string>;
  placeProfile: (profile: Profile) => Promise<string>;
  /** Runs a program to its end, or to the end of the test. */
  start: (program: string, args?: readonly string[]) => Promise<{ code: number; stdout: string; stderr: string }>;
  /** Waits for a window. @returns its number */
  window: (name: string) => Promise<string>;
  /** Keys, buttons and movements, in the words of xdotool. */
  press: (...words: string[]) => Promise<void>;
  /** The text in the clipboard; empty if there is none. */
  clipboard: () => Promise<string>;
};

export async function startDesktop(t: Test): Promise<Desktop> {
  const home = await temporaryFolder(t);
  const runtime = join(home, 'run');
  await mkdir(runtime, { mode: 0o700 });

  const screen = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '800x600x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  t.teardown(() => screen.kill());
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_RUNTIME_DIR: runtime,
    DISPLAY: `:${await firstLine(screen.stdout)}`,
  };
  const bus = spawn('dbus-daemon', ['--session', '--nofork', '--print-address=1'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  t.teardown(() => bus.kill());
  env.DBUS_SESSION_BUS_ADDRESS = await firstLine(bus.stdout);

  const place = async (name: string, text: string | Uint8Array): Promise<string> => {
    const path = join(home, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { mode: 0o700 });
    return path;
  };
  const xdotool = async (...words: string[]): Promise<string> => (await run('xdotool', words, { env })).stdout.trim();

  return {
    home,
    place,
    placeProfile: ({ filename, text }) => place(filename, text),
    start: (program, args = []) =>
      new Promise((resolve) => {
        const child = execFile(program, [...args], { env, cwd: home }, (error, stdout, stderr) =>
          resolve({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr }),
        );
        t.teardown(() => child.kill());
      }),
    async window(name) {
      let found = '';
      await eventually(`a window of ${name}`, async () => {
        found = await xdotool('search', '--onlyvisible', '--class', name).catch(() => '');
        return found !== '';
      });
      return found.split('\n')[0] ?? '';
    },
    press: async (...words) => void (await xdotool(...words)),
    clipboard: async () =>
      (await run('xclip', ['-o', '-selection', 'clipboard'], { env, timeout: 5_000 }).catch(() => ({ stdout: '' })))
        .stdout,
  };
}
