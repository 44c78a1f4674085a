/** Runs once in a trial decoder to find what it can reach despite its isolation level. */
import { readFileSync } from 'node:fs';

export type Forbidden = {
  /** A file in DATA_DIR that only the server's user may read. */
  file: string;
  pid: number;
};

/** @returns a phrase for each thing it can reach; none in a working cage */
export async function reachable({ file, pid }: Forbidden): Promise<string[]> {
  const found: string[] = [];
  if (succeeds(() => readFileSync(file))) found.push('it can read DATA_DIR');
  // In a pid namespace, the decoder may have the same pid that the server has outside.
  if (pid !== process.pid) {
    if (succeeds(() => readFileSync(`/proc/${pid}/environ`))) found.push("it can read the server's environment");
    if (succeeds(() => process.kill(pid, 0))) found.push('it can send signals to the server');
  }
  if (await startsProcesses()) found.push('it can start processes');
  if (await reachesNetwork()) found.push('it can reach the network');
  return found;
}

function succeeds(attempt: () => unknown): boolean {
  try {
    attempt();
    return true;
  } catch {
    return false;
  }
}

async function startsProcesses(): Promise<boolean> {
  const { spawnSync } = await import('node:child_process');
  return spawnSync(process.execPath, ['--version'], { stdio: 'ignore' }).error === undefined;
}

const UNREACHABLE = ['EACCES', 'EPERM', 'ENETUNREACH'];
const DISCARD = 9;

/** Any other failure means that the connection attempt left the cage. */
async function reachesNetwork(): Promise<boolean> {
  const { connect } = await import('node:net');
  return new Promise((resolve) => {
    connect(DISCARD, '127.0.0.1')
      .on('connect', () => resolve(true))
      .on('error', ({ code }: NodeJS.ErrnoException) => resolve(!UNREACHABLE.includes(code ?? '')));
  });
}
