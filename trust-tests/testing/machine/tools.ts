/** What this machine allows a test: false, or for `skip` the reason why a test cannot run. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const works = (program: string, ...words: string[]) => spawnSync(program, words, { stdio: 'ignore' }).status === 0;

export const withoutStrace = works('strace', '-o', '/dev/null', 'true') ? false : 'strace is missing or may not trace';

/** The library of faketime, since the program itself would not forward signals to the server. */
export const faketimeLibrary: string = spawnSync('faketime', ['-f', '+1d', 'sh', '-c', 'printf %s "$LD_PRELOAD"'], {
  encoding: 'utf8',
}).stdout;

export const withoutFaketime = faketimeLibrary ? false : 'faketime is not installed';

function mounts(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'gallery-mount-'));
  const mounted = works('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder);
  if (mounted) spawnSync('umount', [folder]);
  rmdirSync(folder);
  return mounted;
}

export const withoutMount = mounts() ? false : 'this user may not mount a file system';

export const postgresBinaries: string | undefined = existsSync('/usr/lib/postgresql')
  ? readdirSync('/usr/lib/postgresql')
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join('/usr/lib/postgresql', version, 'bin'))
      .find((folder) => existsSync(join(folder, 'initdb')))
  : undefined;

export const withoutPostgres = postgresBinaries ? false : 'no Postgres of the system is installed';
