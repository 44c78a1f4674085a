#!/usr/bin/perl
# Runs a program in a cage: only the named files, no network, no other processes, no privileges.
#   perl cage.pl [--namespaces] [--uid=<id>] [--landlock=required|none] [--nice=<n>] --parent=<pid> --read=<path>... --run=<path>... -- <program> <argument>...
# `--read` names readable files and folders, `--run` those that may also be executed. The program inherits descriptors
# 0 (requests), 2 (errors), 3 (replies) and 4 (input). Before it starts, its pid and the Landlock version in force (0 for none)
# are written to descriptor 1. Reasons: docs/decisions/2026-11-24-decoder-cage.md.
use strict;
use warnings;
use Config;

my ($machine) = $Config{archname} =~ /^(x86_64|aarch64)\b/ or fail("no table of system calls for $Config{archname}");
my $arm = $machine eq 'aarch64';
my $audit_arch = $arm ? 0xC00000B7 : 0xC000003E;

# System calls that set up the cage.
my %number = (mount_setattr => 442, landlock_create_ruleset => 444, landlock_add_rule => 445, landlock_restrict_self => 446);
@number{qw(mount umount2 pivot_root unshare prctl capset setgroups setresgid setresuid prlimit64 openat close)} =
    $arm ? (40, 39, 41, 97, 167, 91, 159, 149, 147, 261, 56, 57) : (165, 166, 155, 272, 157, 126, 116, 119, 117, 302, 257, 3);

my (%option, @read, @run);
while (defined(my $word = shift @ARGV)) {
    last if $word eq '--';
    my ($name, $value) = $word =~ /^--(\w+)(?:=(.*))?$/s or fail("unknown argument: $word");
    if    ($name eq 'read') { push @read, $value }
    elsif ($name eq 'run')  { push @run, $value }
    else                    { $option{$name} = $value // 1 }
}
my @program = @ARGV or fail('no program was named');

umask 022;
# It could make Node load code that the cage hides; test runners set it for child processes.
delete $ENV{NODE_OPTIONS};
my $landlock = call('landlock_create_ruleset', 0, 0, 1);
$landlock = 0 if $landlock < 0 || ($option{landlock} // '') eq 'none';
fail('Landlock is not available') if !$landlock && ($option{landlock} // '') eq 'required';
# When memory runs out, Linux kills the process with the highest score: a decoder rather than the server.
if (open(my $score, '>', '/proc/self/oom_score_adj')) { syswrite($score, '1000') }
# Before the program starts its threads: Linux has a priority for each thread.
setpriority(0, 0, $option{nice}) if $option{nice};

my $guardian_gone = $option{namespaces} ? enter_namespaces() : sub { getppid() != ($option{parent} // getppid()) };
announce($$) unless $option{namespaces};
open(STDOUT, '>', '/dev/null') or fail("/dev/null: $!");
make_root() if $option{namespaces};
drop_privileges();
limit_resources();
restrict_files() if $landlock;
end_with($guardian_gone);
filter_calls();
exec { $program[0] } @program or fail("$program[0] cannot be started: $!");

# If descriptors, processes or memory ran out, a retry may succeed (EX_TEMPFAIL of sysexits.h).
sub fail {
    my $error = $! + 0;
    print STDERR "@_\n";
    exit((grep { $error == $_ } 11, 12, 23, 24) ? 75 : 125); # EAGAIN, ENOMEM, ENFILE, EMFILE
}

# Numbers are passed as numbers, text as the address of a copy.
sub call {
    my ($name, @values) = @_;
    return syscall($number{$name}, @values);
}

sub must {
    my ($name, @values) = @_;
    my $result = call($name, @values);
    fail("$name: $!") if $result == -1;
    return $result;
}

sub announce { syswrite(STDOUT, "$_[0] $landlock\n") }

# The first process of a pid namespace is always a child: the parent stays outside, waits for it and ends with it.
sub enter_namespaces {
    my ($uid, $gid) = ($> + 0, (split ' ', $))[0] + 0);
    # mount, cgroup, uts, ipc, pid and net; an ordinary user needs a user namespace for these
    must('unshare', 0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x20000000 | 0x40000000 | ($uid ? 0x10000000 : 0));
    if ($uid) {
        write_file('/proc/self/setgroups', 'deny');
        write_file('/proc/self/uid_map', "$uid $uid 1");
        write_file('/proc/self/gid_map', "$gid $gid 1");
    }
    my $parent = $option{parent} // getppid();
    pipe(my $reader, my $writer) or fail("pipe: $!");
    my $child = fork() // fail("fork: $!");
    if (!$child) {
        close $writer;
        # The pipe becomes readable once the process outside has ended.
        return sub {
            my $bits = '';
            vec($bits, fileno($reader), 1) = 1;
            return select($bits, undef, undef, 0);
        };
    }
    # Ctrl-C in a terminal reaches the whole group; the server decides when its decoders end.
    @SIG{qw(INT TERM HUP QUIT)} = ('IGNORE') x 4;
    announce($child);
    close $reader;
    close STDIN;
    close STDOUT;
    call('close', $_) for 3, 4;
    end_with(sub { getppid() != $parent });
    waitpid($child, 0);
    exit($? & 127 ? 128 + ($? & 127) : $? >> 8);
}

sub write_file {
    my ($path, $text) = @_;
    open(my $file, '>', $path) or fail("$path: $!");
    defined(syswrite($file, $text)) or fail("$path: $!");
}

# A new root in memory, with read-only views of what the program needs.
sub make_root {
    my $old = '/.old';
    must('mount', 'none', '/', 0, 0x4000 | 0x40000, 0);                          # recursively private
    must('mount', 'tmpfs', '/tmp', 'tmpfs', 2 | 4, 'mode=0755,size=1m');         # nosuid, nodev
    mkdir "/tmp$old" or fail("mkdir: $!");
    must('pivot_root', '/tmp', "/tmp$old");
    chdir '/' or fail("chdir: $!");
    # A folder is shown before its contents, which then exist already.
    show($old, $_) for sort { length($a) <=> length($b) } @read, @run, map { "/dev/$_" } qw(null zero random urandom);
    make_folder('/proc');
    must('mount', 'proc', '/proc', 'proc', 2 | 4 | 8, 0);                        # nosuid, nodev, noexec
    must('umount2', $old, 2);                                                    # detached
    rmdir $old or fail("rmdir: $!");
    must('mount_setattr', -100, '/', 0x8000, pack('QQQQ', 1 | 2, 0, 0, 0), 32);  # all of it read-only, nosuid
}

sub show {
    my ($old, $path) = @_;
    return if lstat $path;
    make_folder($path =~ m{^(.*)/}s);
    my $source = "$old$path";
    if (-l $source) {
        symlink(readlink($source), $path) or fail("symlink $path: $!");
        return;
    }
    if (-d $source) { make_folder($path) }
    else {
        open(my $file, '>', $path) or fail("$path: $!");
    }
    call('mount', $source, $path, 0, 0x1000 | 0x4000, 0) == 0 or fail("mount $path: $!"); # bind, with what is mounted below
}

sub make_folder {
    my ($path) = @_;
    return if $path eq '' || -d $path;
    make_folder($path =~ m{^(.*)/}s);
    mkdir $path or fail("mkdir $path: $!");
}

sub drop_privileges {
    # Fails without privileges, and past the last capability of this kernel.
    call('prctl', 24, $_, 0, 0, 0) for 0 .. 63;   # PR_CAPBSET_DROP
    call('prctl', 47, 4, 0, 0, 0);                # PR_CAP_AMBIENT, clear all
    if (defined(my $uid = $option{uid})) {
        must('setgroups', 0, 0);
        must('setresgid', $uid + 0, $uid + 0, $uid + 0);
        must('setresuid', $uid + 0, $uid + 0, $uid + 0);
    }
    must('capset', pack('Li', 0x20080522, 0), pack('L6', (0) x 6));
    must('prctl', 38, 1, 0, 0, 0);                # PR_SET_NO_NEW_PRIVS
    # Root would get the capabilities left in the bounding set on exec.
    if ($> == 0 && grep { call('prctl', 23, $_, 0, 0, 0) == 1 } 0 .. 63) { fail('capabilities cannot be dropped') }
}

sub limit_resources {
    must('prlimit64', 0, $_, pack('QQ', 0, 0), 0) for 1, 4; # no byte into a file, no core dump
}

# Landlock: denies everything it controls except reading what is named.
sub restrict_files {
    my $files = (1 << (0, 13, 14, 15, 15, 16)[$landlock < 5 ? $landlock : 5]) - 1;
    my $net    = $landlock >= 4 ? 3 : 0; # TCP
    my $scoped = $landlock >= 6 ? 3 : 0; # abstract sockets, signals
    my $rules = must('landlock_create_ruleset', pack('QQQ', $files, $net, $scoped), 24, 0);
    my ($execute, $read_file, $read_folder) = (1, 4, 8);
    my $allow = sub {
        my ($descriptor, $rights) = @_;
        must('landlock_add_rule', $rules, 1, pack('Ql', $rights, $descriptor), 0);
    };
    my $allow_path = sub {
        my ($path, $rights) = @_;
        my $descriptor = call('openat', -100, $path, 0x280000, 0); # O_PATH | O_CLOEXEC
        fail("$path: $!") if $descriptor == -1;
        $allow->($descriptor, -d $path ? $rights | $read_folder : $rights);
        call('close', $descriptor);
    };
    $allow_path->($_, $read_file) for @read, $option{namespaces} ? '/proc' : (), '/dev/null', '/dev/urandom';
    $allow_path->($_, $read_file | $execute) for @run;
    $allow->(4, $read_file); # so that it can be opened by /proc/self/fd/4
    must('landlock_restrict_self', $rules, 0);
    call('close', $rules);
}

# @param is_gone whether the parent had already ended before the request
sub end_with {
    my ($is_gone) = @_;
    must('prctl', 1, 9, 0, 0, 0); # PR_SET_PDEATHSIG, SIGKILL
    exit 125 if $is_gone->();
}

# seccomp allows only the calls of the table. Others fail as on a kernel without them, which libraries handle.
sub filter_calls {
    my $answer = { ALLOW => 0x7fff0000, KILL => 0x80000000, EPERM => 0x50001, EACCES => 0x5000d, ENOTTY => 0x50019, ENOSYS => 0x50026 };
    my $end = sub { pack('SCCL', 0x06, 0, 0, $answer->{ $_[0] }) };
    my $load = sub { pack('SCCL', 0x20, 0, 0, $_[0]) };
    my $if = sub { pack('SCCL', $_[0], 0, length($_[2]) / 8, $_[1]) . $_[2] }; # skips its instructions where the test fails
    my ($equal, $has_bit) = (0x15, 0x45);
    my $argument = sub { $load->(16 + 8 * $_[0]) };
    my $among = sub {
        my ($index, $else, @values) = @_;
        return $argument->($index) . join('', map { $if->($equal, $_, $end->('ALLOW')) } @values) . $end->($else);
    };
    # Before Linux 6.2, Landlock does not restrict O_TRUNC, which empties a file opened for reading; no version restricts access
    # mode 3. Decoding needs none of O_WRONLY | O_RDWR | O_CREAT | O_TRUNC.
    my $to_read = sub { $argument->($_[0]) . $if->($has_bit, 3 | 0x40 | 0x200, $end->('EACCES')) . $end->('ALLOW') };
    my %check = (
        allow    => $end->('ALLOW'),
        EPERM    => $end->('EPERM'),
        EACCES   => $end->('EACCES'),
        open     => $to_read->(1),
        openat   => $to_read->(2),
        thread   => $argument->(0) . $if->($has_bit, 0x10000, $end->('ALLOW')) . $end->('EPERM'), # CLONE_THREAD
        itself   => $among->(0, 'EPERM', $$),
        zero     => $among->(0, 'EPERM', 0),
        # names of threads and memory; queries
        prctl => $among->(0, 'EPERM', 15, 16, 0x53564d41, 3, 21, 23, 39),
        # duplicates, flags and sizes, but not the owner, who receives a signal
        fcntl => $among->(1, 'EPERM', 0, 1, 2, 3, 4, 1030, 1032),
        ioctl => $among->(1, 'ENOTTY', 0x5401, 0x5413, 0x541b, 0x5421, 0x5450, 0x5451),
    );
    my $code = $load->(4) . pack('SCCL', $equal, 1, 0, $audit_arch) . $end->('KILL') . $load->(0);
    while (my $line = <DATA>) {
        my ($name, $x86, $aarch, $check) = split ' ', $line;
        my $call = $arm ? $aarch : $x86;
        $code .= $if->($equal, $call, $check{$check}) if $call ne '-';
    }
    $code .= $end->('ENOSYS');
    must('prctl', 22, 2, pack('Sx6P', length($code) / 8, $code), 0, 0); # PR_SET_SECCOMP, SECCOMP_MODE_FILTER
}

# name, number on x86_64, number on aarch64, check
__DATA__
read 0 63 allow
write 1 64 allow
readv 19 65 allow
writev 20 66 allow
pread64 17 67 allow
preadv 295 69 allow
preadv2 327 286 allow
close 3 57 allow
close_range 436 436 allow
dup 32 23 allow
dup2 33 - allow
dup3 292 24 allow
lseek 8 62 allow
open 2 - open
openat 257 56 openat
stat 4 - allow
lstat 6 - allow
fstat 5 80 allow
newfstatat 262 79 allow
statx 332 291 allow
access 21 - allow
faccessat 269 48 allow
faccessat2 439 439 allow
readlink 89 - allow
readlinkat 267 78 allow
getdents64 217 61 allow
getcwd 79 17 allow
statfs 137 43 allow
fstatfs 138 44 allow
fadvise64 221 223 allow
readahead 187 213 allow
umask 95 166 allow
pipe 22 - allow
pipe2 293 59 allow
eventfd2 290 19 allow
poll 7 - allow
ppoll 271 73 allow
select 23 - allow
pselect6 270 72 allow
epoll_create 213 - allow
epoll_create1 291 20 allow
epoll_ctl 233 21 allow
epoll_wait 232 - allow
epoll_pwait 281 22 allow
epoll_pwait2 441 441 allow
getsockopt 55 209 allow
getsockname 51 204 allow
getpeername 52 205 allow
shutdown 48 210 allow
mmap 9 222 allow
munmap 11 215 allow
mprotect 10 226 allow
mremap 25 216 allow
madvise 28 233 allow
mincore 27 232 allow
msync 26 227 allow
brk 12 214 allow
membarrier 324 283 allow
futex 202 98 allow
set_robust_list 273 99 allow
get_robust_list 274 100 allow
rseq 334 293 allow
set_tid_address 218 96 allow
gettid 186 178 allow
getpid 39 172 allow
getppid 110 173 allow
arch_prctl 158 - allow
exit 60 93 allow
exit_group 231 94 allow
execve 59 221 allow
sched_yield 24 124 allow
sched_getaffinity 204 123 allow
sched_getparam 143 121 allow
sched_getscheduler 145 120 allow
sched_getattr 315 275 allow
sched_get_priority_max 146 125 allow
sched_get_priority_min 147 126 allow
getpriority 140 141 allow
rt_sigaction 13 134 allow
rt_sigprocmask 14 135 allow
rt_sigreturn 15 139 allow
rt_sigpending 127 136 allow
rt_sigtimedwait 128 137 allow
rt_sigsuspend 130 133 allow
sigaltstack 131 132 allow
pause 34 - allow
restart_syscall 219 128 allow
clock_gettime 228 113 allow
clock_getres 229 114 allow
clock_nanosleep 230 115 allow
nanosleep 35 101 allow
gettimeofday 96 169 allow
time 201 - allow
times 100 153 allow
getuid 102 174 allow
geteuid 107 175 allow
getgid 104 176 allow
getegid 108 177 allow
getresuid 118 148 allow
getresgid 120 150 allow
getgroups 115 158 allow
getpgrp 111 - allow
getpgid 121 155 allow
getsid 124 156 allow
getrusage 98 165 allow
getrlimit 97 163 allow
setrlimit 160 164 allow
sysinfo 99 179 allow
uname 63 160 allow
getrandom 318 278 allow
getcpu 309 168 allow
capget 125 90 allow
clone 56 220 thread
kill 62 129 itself
tgkill 234 131 itself
prlimit64 302 261 zero
setpriority 141 140 EPERM
prctl 157 167 prctl
fcntl 72 25 fcntl
ioctl 16 29 ioctl
socket 41 198 EACCES
socketpair 53 199 EACCES
connect 42 203 EACCES
bind 49 200 EACCES
listen 50 201 EACCES
accept 43 202 EACCES
accept4 288 242 EACCES
sendto 44 206 EACCES
sendmsg 46 211 EACCES
sendmmsg 307 269 EACCES
fork 57 - EPERM
vfork 58 - EPERM
ptrace 101 117 EPERM
process_vm_readv 310 270 EPERM
process_vm_writev 311 271 EPERM
tkill 200 130 EPERM
rt_sigqueueinfo 129 138 EPERM
rt_tgsigqueueinfo 297 240 EPERM
pidfd_open 434 434 EPERM
pidfd_send_signal 424 424 EPERM
pidfd_getfd 438 438 EPERM
unshare 272 97 EPERM
setns 308 268 EPERM
mount 165 40 EPERM
bpf 321 280 EPERM
perf_event_open 298 241 EPERM
keyctl 250 219 EPERM
userfaultfd 323 282 EPERM
io_uring_setup 425 425 EPERM
io_uring_enter 426 426 EPERM
io_uring_register 427 427 EPERM
