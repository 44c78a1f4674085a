/** Tests the cage below Node: Perl makes the system calls that machine code in a payload would. */
import { execFile, spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { chooseIsolation, launches } from '../pool/choose-isolation.ts';
import { notShown } from '../testing/not-shown.ts';
import { readableFor } from './readable.ts';

const run = promisify(execFile);
const LAUNCHER = fileURLToPath(new URL('./cage.pl', import.meta.url));
const linux = process.platform === 'linux';

/** name, number on x86_64 and on aarch64, arguments in Perl; `$pid` is the test's process, `$path` one of its files */
const CALLS = `
fork 57 - 0
clone 56 220 17, 0, 0, 0, 0
clone3 435 435 $zeros, 88
socket-inet 41 198 2, 1, 0
socket-unix 41 198 1, 1, 0
socket-netlink 41 198 16, 3, 0
socket-packet 41 198 17, 3, 768
socketpair 53 199 1, 1, 0, $zeros
ptrace 101 117 16, $pid, 0, 0
process_vm_readv 310 270 $pid, $zeros, 0, $zeros, 0, 0
process_vm_writev 311 271 $pid, $zeros, 0, $zeros, 0, 0
pidfd_open 434 434 $pid, 0
pidfd_send_signal 424 424 0, 0, 0, 0
kill 62 129 $pid, 0
kill-all 62 129 -1, 0
tkill 200 130 $pid, 0
tgkill 234 131 $pid, $pid, 0
rt_sigqueueinfo 129 138 $pid, 0, $zeros
set-owner 72 25 0, 8, $pid
set-signal 72 25 0, 10, 9
prlimit 302 261 $pid, 7, 0, $zeros
setpriority 141 140 0, $pid, 19
sched_setaffinity 203 122 $pid, 8, $zeros
unshare 272 97 0x10000000
setns 308 268 0, 0
mount 165 40 $path, $path, 0, 0x1000, 0
chroot 161 51 $path
io_uring_setup 425 425 1, $zeros
bpf 321 280 0, $zeros, 64
perf_event_open 298 241 $zeros, 0, -1, -1, 0
userfaultfd 323 282 0
keyctl 250 219 0, -3, 0
memfd_create 319 279 $path, 0
inotify_init1 294 26 0
fanotify_init 300 262 0, 0
add_key 248 217 $path, $path, $zeros, 1, -3
msgget 68 186 1, 0x200
shmget 29 194 1, 4096, 0x200
chmod 90 - $path, 0
fchmodat 268 53 -100, $path, 0
truncate 76 45 $path, 0
unlink 87 - $path
unlinkat 263 35 -100, $path, 0
renameat2 316 276 -100, $path, -100, $path, 0
linkat 265 37 -100, $path, -100, $path, 0
setxattr 188 5 $path, $path, $path, 1, 0
utimensat 280 88 -100, $path, 0, 0
open_by_handle_at 304 265 -100, $zeros, 0
execveat 322 281 -100, $path, 0, 0, 0
openat2 437 437 -100, $path, $zeros, 24
x32-getpid 1073741863 - 0
newest 600 600 0
`;

/** Calls that open `$path` to change it; 0x200 is O_TRUNC, 0x40 O_CREAT. The last one takes its flags from `$how`. */
const CHANGES = `
open-to-empty 2 - $path, 0x200
open-to-write 2 - $path, 1
open-to-read-and-write 2 - $path, 2
open-with-mode-3 2 - $path, 3
open-to-create 2 - $path, 0x40, 0600
creat 85 - $path, 0600
openat-to-empty 257 56 -100, $path, 0x200
openat-to-write 257 56 -100, $path, 1
openat-to-read-and-write 257 56 -100, $path, 2
openat-with-mode-3 257 56 -100, $path, 3
openat-to-create 257 56 -100, $path, 0x40, 0600
openat-to-empty-with-high-bits 257 56 -100, $path, 0x7fff00000200
openat2-to-empty 437 437 -100, $path, $how, 24
`;

const PROBE = `
my ($pid, $path) = (shift(@ARGV) + 0, shift @ARGV);
my $arm = shift(@ARGV) eq 'arm64';
my $zeros = "\\0" x 256;
my $how = pack('QQQ', 0x200, 0, 0);
while (my $line = <STDIN>) {
  my ($name, $x86, $aarch, $words) = split ' ', $line, 4;
  next unless defined $words;
  my $number = $arm ? $aarch : $x86;
  next if $number eq '-';
  my @values = eval "($words)";
  my $result = syscall($number + 0, @values);
  exit 0 if $name eq 'fork' && $result == 0;
  my $refused = $! + 0;
  print STDERR "$name\\n" unless $result == -1 && grep { $refused == $_ } 1, 13, 38;
}
print STDERR "reads it\\n" if open(my $file, '<', $path);
print STDERR "done\\n";
`;

/** @returns the names of the calls that succeeded, then whether the file is readable, then `done` */
async function callsAnswered(options: readonly string[], calls: string, path: string): Promise<string> {
  const perl = (await run('perl', ['-e', 'print $^X'])).stdout;
  const { read, run: programs } = readableFor(LAUNCHER);
  const args = [...read.map((one) => `--read=${one}`), ...programs.map((one) => `--run=${one}`), `--run=${perl}`];
  const input = openSync(LAUNCHER, 'r');
  const probe = spawn(
    'perl',
    [LAUNCHER, ...options, ...args, '--', perl, '-e', PROBE, String(process.pid), path, process.arch],
    { stdio: ['pipe', 'ignore', 'pipe', 'ignore', input] },
  );
  closeSync(input);
  probe.stdin?.end(calls);
  let output = '';
  for await (const chunk of probe.stderr ?? []) output += chunk;
  return output;
}

function secretFile(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'cage-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'secret');
  writeFileSync(path, 'secret', { mode: 0o600 });
  return path;
}

for (const launch of launches().filter(({ as }) => as === undefined)) {
  t.test(
    `machine code cannot leave the cage: ${launch.level} ${launch.options?.join(' ')}`,
    { skip: !linux },
    async (t) => {
      const { launch: allowed, refused } = await chooseIsolation(tmpdir(), [launch]);
      if (allowed.level !== launch.level) return notShown(t, String(refused[launch.level]));
      const output = await callsAnswered(launch.options ?? [], CALLS + CHANGES, secretFile(t));
      t.equal(output, 'done\n', 'no call succeeds');
    },
  );
}

// Before Linux 6.2, Landlock does not restrict truncation, and only the filter then protects files of the same user.
t.test('the filter alone refuses to open a file for writing', { skip: !linux }, async (t) => {
  const path = secretFile(t);
  t.equal(await callsAnswered(['--landlock=none'], CHANGES, path), 'reads it\ndone\n');
  t.equal(readFileSync(path, 'utf8'), 'secret');
});
