import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds before a restart: doubled after each crash, until a server runs long enough. */
const shortestPause = 250;
const longestPause = 30_000;
const longLife = 60_000;
/** Signals within this many milliseconds count as one. */
const oneSignal = 500;

/**
 * Runs the server as a child process and restarts it after a crash or a kill. If the server exits before it first listens,
 * it is not restarted: a wrong variable is reported once.
 * @param {string} program
 * @returns {Promise<number>} the exit code for this process
 */
export async function supervise(program) {
  let child;
  let stopping = false;
  const ended = new AbortController();
  let lastSignal = Number.NEGATIVE_INFINITY;
  const stop = () => {
    // Ctrl-C arrives twice, from the terminal and from npm; only a later signal means "stop at once".
    if (performance.now() - lastSignal < oneSignal) return;
    lastSignal = performance.now();
    stopping = true;
    ended.abort();
    child?.kill('SIGTERM');
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, stop);

  let hasListened = false;
  for (let pause = shortestPause; ; pause = Math.min(pause * 2, longestPause)) {
    const born = Date.now();
    child = start(program);
    child.on('message', (message) => {
      if (message === 'listening') hasListened = true;
    });
    const { code, signal } = await end(child);
    if (stopping || code === 0 || !hasListened) return code ?? 1;
    if (Date.now() - born > longLife) pause = shortestPause;
    console.error(`The server ended by itself (${signal ?? `exit code ${code}`}); it is started again in ${pause} ms.`);
    await sleep(pause, undefined, { signal: ended.signal }).catch(() => undefined);
    if (stopping) return 0;
  }
}

function start(program) {
  return spawn(process.execPath, [...process.execArgv, program], {
    // Over the IPC channel, the server reports that it listens and notices when this process is gone.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

function end(child) {
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('exit', (code, signal) => resolve({ code, signal }));
  });
}
