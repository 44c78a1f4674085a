/** Runs inside a decoder, once, before its level of isolation is taken: what can it reach that it must not? */
import { readFileSync } from 'node:fs';

export type Forbidden = {
  /** A file in DATA_DIR that only the server's user may read. */
  file: string;
  /** The server's process. */
  pid: number;
};

/** @returns one phrase for each thing that it can reach; none in a cage */
export async function reachable({ file, pid }: Forbidden): Promise<string[]> {
  const found: string[] = [];
  if (succeeds(() => readFileSync(file))) found.push('it can read DATA_DIR');
  // In a pid namespace, the decoder may have the number that the server has outside.
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

/** Any other failure came from the other side. */
async function reachesNetwork(): Promise<boolean> {
  const { connect } = await import('node:net');
  return new Promise((resolve) => {
    connect(DISCARD, '127.0.0.1')
      .on('connect', () => resolve(true))
      .on('error', ({ code }: NodeJS.ErrnoException) => resolve(!UNREACHABLE.includes(code ?? '')));
  });
}
