/**
 * A simulated server under attack: `node run-payload.js <launch>` creates a DATA_DIR and listeners, starts the payload
 * as a decoder and prints the findings. A separate program, so that it can run as another user.
 */
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isCaged, type Launch } from '../cage/launch.ts';
import { startProcess } from '../pool/decoder-process.ts';
import { openSlot } from '../pool/slot.ts';
import type { ToWorker } from '../protocol/messages.ts';

export type Targets = {
  dataDir: string;
  files: string[];
  folders: string[];
  originals: string[];
  home: string;
  server: number;
  victim: number;
  tcpPort: number;
  udpPort: number;
  socket: string;
  abstract: string;
  /** An address of another machine; undefined if packets would leave this one. */
  outside: string | undefined;
};

export type Findings = {
  got: string[];
  input: boolean;
  damaged: string[];
};

const folders = ['', 'files', 'files/originals', 'files/staging', 'postgres'];

function makeDataDir(): Pick<Targets, 'dataDir' | 'files' | 'folders' | 'originals'> {
  const dataDir = mkdtempSync(join(tmpdir(), 'attacked-'));
  for (const folder of folders.slice(1)) mkdirSync(join(dataDir, folder), { mode: 0o700 });
  const originals = Array.from({ length: 5 }, (_, index) => `files/originals/${index}.jpg`);
  const files = ['jwt-secret', ...originals, 'files/staging/a.part', 'postgres/PG_VERSION'];
  for (const path of files) writeFileSync(join(dataDir, path), path, { mode: 0o600 });
  return { dataDir, files, folders, originals: originals.map((path) => join(dataDir, path)) };
}

async function listeners(dataDir: string) {
  let knocks = 0;
  const knock = () => {
    knocks += 1;
  };
  const socket = join(dataDir, 'postgres', '.s.PGSQL.5432');
  const abstract = `attacked-${process.pid}`;
  const servers = [createServer(knock), createServer(knock), createServer(knock)] as const;
  servers[0].listen(0, '127.0.0.1');
  servers[1].listen(socket);
  servers[2].listen(`\0${abstract}`);
  const udp = createSocket('udp4', knock).bind(0, '127.0.0.1');
  await Promise.all([...servers, udp].map((one) => once(one, 'listening')));
  const { port: tcpPort } = servers[0].address() as AddressInfo;
  return { targets: { tcpPort, udpPort: udp.address().port, socket, abstract }, knocks: () => knocks };
}

function damagedIn({ dataDir, files }: Pick<Targets, 'dataDir' | 'files'>): string[] {
  return files.filter((path) => {
    try {
      return readFileSync(join(dataDir, path), 'utf8') !== path;
    } catch {
      return true;
    }
  });
}

async function attack(launch: Launch): Promise<Findings> {
  const made = makeDataDir();
  const { dataDir } = made;
  try {
    const { targets, knocks } = await listeners(dataDir);
    const victim = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' });
    const slot = await openSlot(dataDir);
    await slot.fill(made.originals[0] ?? '');
    const decoder = await startProcess(new URL('./payload.js', import.meta.url), {
      launch,
      nice: 0,
      input: slot.descriptor,
    });
    const reply = new Promise<{ got: string[]; input: boolean }>((resolve, reject) => {
      decoder.onExit(() => reject(new Error('the payload ended')));
      decoder.listen(({ text }) => resolve(JSON.parse(text)));
    });
    // TEST-NET-1 (RFC 5737): never assigned.
    const outside = isCaged(launch) ? '192.0.2.1' : undefined;
    const pids = { server: process.pid, victim: victim.pid ?? 0 };
    const all: Targets = { ...made, ...targets, ...pids, home: homedir(), outside };
    decoder.send(all as unknown as ToWorker);
    const found = await reply;
    await decoder.kill();
    const damaged = [...damagedIn(made), ...(knocks() > 0 ? ['a listener was reached'] : [])];
    if (victim.exitCode !== null || victim.signalCode !== null) damaged.push('another process has ended');
    victim.kill('SIGKILL');
    return { ...found, damaged };
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const [launch] = process.argv.slice(2);
if (launch !== undefined && process.argv[1]?.endsWith('run-payload.js')) {
  process.stdout.write(JSON.stringify(await attack(JSON.parse(launch) as Launch)), () => process.exit(0));
}
