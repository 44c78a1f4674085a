/** What this machine lets a test do. Each answers false, or why a test that needs it is left out, for `skip`. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const works = (program: string, ...words: string[]) => spawnSync(program, words, { stdio: 'ignore' }).status === 0;

export const withoutStrace = works('strace', '-o', '/dev/null', 'true') ? false : 'strace is missing or may not trace';

/** Its own program would stand between a test and the server, and pass no signal on: so the library that it loads. */
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

/** The folder of the newest Postgres that Debian brings. */
export const postgresBinaries: string | undefined = existsSync('/usr/lib/postgresql')
  ? readdirSync('/usr/lib/postgresql')
      .sort((a, b) => Number(b) - Number(a))
      .map((version) => join('/usr/lib/postgresql', version, 'bin'))
      .find((folder) => existsSync(join(folder, 'initdb')))
  : undefined;

export const withoutPostgres = postgresBinaries ? false : 'no Postgres of the system is installed';
