/** An exploit in place of a decoder: it tries everything that must fail and replies with what succeeded. */
import { spawn, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import * as fs from 'node:fs';
import { connect, createServer, type NetConnectOpts } from 'node:net';
import { setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { REPLY_DESCRIPTOR, writeFrame } from '../protocol/frames.ts';
import type { Targets } from './run-payload.ts';

type Attempts = Record<string, () => unknown>;

/** Linux empties the file, although it is opened for reading. */
const EMPTIES = fs.constants.O_RDONLY | fs.constants.O_TRUNC;

/** Separate files for the attempts that rename or empty one. */
function changes({ dataDir, originals }: Targets): Attempts {
  const [a = '', b = '', c = '', d = '', e = ''] = originals;
  return {
    'write into an original': () => fs.writeSync(fs.openSync(a, 'r+'), 'x'),
    'append to an original': () => fs.appendFileSync(a, 'x'),
    'truncate an original': () => fs.truncateSync(b),
    'empty an original, opened to be read': () => fs.openSync(b, EMPTIES),
    'delete an original': () => fs.unlinkSync(c),
    'rename an original': () => fs.renameSync(d, `${d}-moved`),
    'link an original': () => fs.linkSync(a, join(dataDir, 'link')),
    'change the mode of an original': () => fs.chmodSync(e, 0o777),
    'change the times of an original': () => fs.utimesSync(e, 1, 1),
    'make a file in DATA_DIR': () => fs.writeFileSync(join(dataDir, 'new'), 'x'),
    'make a folder in DATA_DIR': () => fs.mkdirSync(join(dataDir, 'folder')),
    'watch DATA_DIR': () => fs.watch(dataDir).close(),
  };
}

function reads({ dataDir, files, folders, home }: Targets): Attempts {
  const entries = [
    ...files.map((path) => [`read ${path}`, () => fs.readFileSync(join(dataDir, path))]),
    ...folders.map((path) => [`list ${path || 'DATA_DIR'}`, () => fs.readdirSync(join(dataDir, path))]),
    ...['/proc/self/root', '/proc/self/cwd', '/proc/1/root', '/.old', '/proc/self/fd/4/..'].map((root) => [
      `read by ${root}`,
      () => fs.readFileSync(join(root, dataDir, 'jwt-secret')),
    ]),
    ['read the home folder', () => fs.readdirSync(home)],
    ['read the passwords of the system', () => fs.readFileSync('/etc/shadow')],
  ];
  return Object.fromEntries(entries) as Attempts;
}

function writes({ home }: Targets): Attempts {
  const own = fileURLToPath(import.meta.url);
  const folders = ['/tmp', '/', '/dev/shm', '/var/tmp', home, process.cwd(), dirname(own)];
  const entries = folders.map((folder) => {
    const path = join(folder, `payload-${process.pid}`);
    return [
      `write into ${folder}`,
      () => {
        fs.writeFileSync(path, 'x');
        fs.unlinkSync(path);
      },
    ];
  });
  return {
    ...Object.fromEntries(entries),
    'change its own code': () => fs.closeSync(fs.openSync(own, 'r+')),
    'change Node': () => fs.closeSync(fs.openSync(process.execPath, 'r+')),
    'write by the descriptor of its input': () => fs.writeSync(4, 'x'),
    'empty its input': () => fs.ftruncateSync(4, 0),
    'empty its input, opened again to be read': () => fs.openSync('/proc/self/fd/4', EMPTIES),
    'write into its input, opened again': () => fs.writeSync(fs.openSync('/proc/self/fd/4', 'r+'), 'x'),
  };
}

/** Attempts on every known or visible process; its own pid may be another's outside. */
function processes({ server, victim }: Targets): Attempts {
  const seen = attempt(() => fs.readdirSync('/proc')) ?? [];
  const groups = { 'the server': [server, victim, process.ppid], 'another process': seen.map(Number) };
  const looks = Object.entries(groups).flatMap(([whose, all]) => {
    const pids = all.filter((pid) => pid > 0 && pid !== process.pid);
    const ofAny = (action: (pid: number) => unknown) => () => {
      if (!pids.some((pid) => succeeds(() => action(pid)))) throw new Error('none');
    };
    return [
      [`${whose}: read its environment`, ofAny((pid) => fs.readFileSync(`/proc/${pid}/environ`))],
      [`${whose}: open its memory`, ofAny((pid) => fs.closeSync(fs.openSync(`/proc/${pid}/mem`, 'r')))],
      [`${whose}: see what it has mapped`, ofAny(mapsOf)],
      [`${whose}: see its open files`, ofAny((pid) => fs.readdirSync(`/proc/${pid}/fd`))],
      [`${whose}: see its root`, ofAny((pid) => fs.readdirSync(`/proc/${pid}/root/`))],
      [`${whose}: see its command line`, ofAny((pid) => fs.readFileSync(`/proc/${pid}/cmdline`))],
    ];
  });
  return {
    ...(Object.fromEntries(looks) as Attempts),
    'probe the server': () => process.kill(another(server), 0),
    'end another process': () => process.kill(another(victim), 'SIGTERM'),
    'attach a debugger': () => debugProcess(another(victim)),
    'slow the server down': () => setPriority(another(server), 19),
    'become root': () => {
      if (process.getuid?.() === 0) throw new Error('it is root, without capabilities');
      process.setuid?.(0);
    },
    'become nobody': () => process.setgid?.(65534),
  };
}

/** Skips its own pid: in a pid namespace, it may equal another's outside. */
function another(pid: number): number {
  if (pid === process.pid) throw new Error('its own number');
  return pid;
}

/** Maps of kernel threads are empty and readable by everyone. */
function mapsOf(pid: number): void {
  if (fs.readFileSync(`/proc/${pid}/maps`).length === 0) throw new Error('empty');
}

const debugProcess = (pid: number) => (process as unknown as { _debugProcess(pid: number): void })._debugProcess(pid);

function starts(): Attempts {
  const ran = (command: string, args: string[], stdio: 'ignore' | 'pipe') => () => {
    const { error } = spawnSync(command, args, { stdio });
    if (error) throw error;
  };
  return {
    'start a shell': ran('/bin/sh', ['-c', 'true'], 'ignore'),
    'start a shell with pipes': ran('/bin/sh', ['-c', 'true'], 'pipe'),
    'start Node': ran(process.execPath, ['--version'], 'ignore'),
    'start a process that stays': () => {
      const child = spawn(process.execPath, ['-e', '0'], { detached: true, stdio: 'ignore' }).on('error', () => {});
      if (child.pid === undefined) throw new Error('not started');
    },
  };
}

function environment(): Attempts {
  return {
    'have a secret in its environment': () => {
      if (!/SECRET|KEY|PASSWORD|URL/.test(Object.keys(process.env).join())) throw new Error('none');
    },
  };
}

/** Attempts that resolve if they get through; a refusal must come from this machine. */
function network({ tcpPort, udpPort, socket, abstract, outside }: Targets): Record<string, () => Promise<void>> {
  const reach = (options: NetConnectOpts) => () =>
    new Promise<void>((resolve, reject) => {
      const code = ({ code }: NodeJS.ErrnoException) =>
        UNREACHABLE.has(code ?? '') ? reject(new Error(code)) : resolve();
      connect(options)
        .on('connect', () => resolve())
        .on('error', code);
    });
  return {
    'reach the database by its socket': reach({ path: socket }),
    'reach an abstract socket': reach({ path: `\0${abstract}` }),
    'reach a port of this machine': reach({ port: tcpPort, host: '127.0.0.1' }),
    ...(outside && { 'reach an address outside': reach({ port: 80, host: outside }) }),
    'send a datagram': () =>
      new Promise((resolve, reject) => {
        const udp = createSocket('udp4').on('error', reject);
        udp.send('x', udpPort, '127.0.0.1', (error) => {
          udp.close();
          if (error) reject(error);
          else resolve();
        });
      }),
    listen: () =>
      new Promise((resolve, reject) => {
        const server = createServer().on('error', reject);
        server.listen(0, '127.0.0.1', () => server.close(() => resolve()));
      }),
  };
}

const UNREACHABLE = new Set(['EACCES', 'EPERM', 'ENETUNREACH', 'ENOENT']);

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

function succeeds(action: () => unknown): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}

async function run(targets: Targets): Promise<void> {
  const got: string[] = [];
  const attempts = [reads(targets), environment(), processes(targets), starts(), writes(targets), changes(targets)];
  for (const [name, action] of attempts.flatMap(Object.entries) as [string, () => unknown][]) {
    if (succeeds(action)) got.push(name);
  }
  for (const [name, action] of Object.entries(network(targets))) {
    await action().then(
      () => got.push(name),
      () => {},
    );
  }
  const input = succeeds(() => fs.readFileSync('/proc/self/fd/4'));
  writeFrame(REPLY_DESCRIPTOR, { got, input });
}

createInterface({ input: process.stdin })
  .on('line', (line) => void run(JSON.parse(line) as Targets))
  .on('close', () => process.exit(0));
process.on('SIGTERM', () => {});
writeFrame(REPLY_DESCRIPTOR, { type: 'ready' });
