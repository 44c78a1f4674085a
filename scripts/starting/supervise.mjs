import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds before a server that ended by itself is started again: doubled each time, until one lives long enough. */
const shortestPause = 250;
const longestPause = 30_000;
const longLife = 60_000;

/**
 * Runs the server as a child process and starts it again when it ends by itself: crashed, or killed for its memory. Until
 * it has listened once its end is the end, so that a variable that is wrong is told once and not for ever.
 * @param {string} program
 * @returns {Promise<number>} the exit code for this process
 */
export async function supervise(program) {
  let child;
  let stopping = false;
  const ended = new AbortController();
  // The server's second signal means "at once": each one is passed on as it comes.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.on(signal, () => {
      stopping = true;
      ended.abort();
      child?.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal);
    });
  }

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
    // By the channel the server says that it listens, and learns when this process is gone.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Ctrl-C in a terminal reaches this process alone, and the server gets one signal, not two.
    detached: process.platform !== 'win32',
  });
}

function end(child) {
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('exit', (code, signal) => resolve({ code, signal }));
  });
}
