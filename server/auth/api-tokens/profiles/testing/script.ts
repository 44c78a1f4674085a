/** Runs a script of a profile with fake programs in its PATH. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Test } from 'tap';
import { temporaryFolder } from '../../../../testing/app.ts';
import type { Profile } from '../profile.ts';

export type Ran = { code: number; stdout: string; stderr: string };

/** The programs that the scripts may use; the fakes come first in PATH. */
const REAL = ['sh', 'curl', 'sed', 'mktemp', 'rm', 'date', 'od', 'tr', 'cat'];

/** The path of each program of this machine. */
async function linkReal(folder: string, without: readonly string[]): Promise<void> {
  for (const name of REAL.filter((one) => !without.includes(one)))
    await writeFile(join(folder, name), `#!/bin/sh\nPATH=/usr/bin:/bin exec ${name} "$@"\n`, { mode: 0o755 });
}

export type Place = {
  /** The file of the script. */
  file: string;
  /** Makes a fake program. */
  fake: (name: string, script: string) => Promise<void>;
  run: (args?: readonly string[], env?: Record<string, string>) => Promise<Ran>;
  /** Where the script may create temporary files. */
  temporary: () => Promise<string[]>;
  /** A file that a fake has written; empty if it was not run. */
  noted: (name: string) => Promise<string>;
};

/** @param without real programs that are missing */
export async function placeScript(t: Test, { text }: Profile, without: readonly string[] = []): Promise<Place> {
  const home = await temporaryFolder(t);
  const [bin, temporary, file] = [join(home, 'bin'), join(home, 'run'), join(home, 'a script.sh')];
  await mkdir(bin);
  await mkdir(temporary);
  await linkReal(bin, without);
  await writeFile(file, text);
  await chmod(file, 0o700);
  return {
    file,
    fake: (name, script) => writeFile(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 }),
    run: (args = [], env = {}) =>
      new Promise((resolve) => {
        const variables = { PATH: bin, NOTES: home, XDG_RUNTIME_DIR: temporary, ...env };
        execFile('/bin/sh', [file, ...args], { env: variables, cwd: home }, (error, stdout, stderr) =>
          resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
        );
      }),
    temporary: () => readdir(temporary),
    noted: (name) => readFile(join(home, name), 'utf8').catch(() => ''),
  };
}
