// `npm run dev`: the compiler watches, the server restarts on change, Vite serves the client. Ctrl-C stops all three.
import './node-version.mjs';
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const { build, BuildFailed, forget } = await import('./building/build.mjs');
const { readEnvFile } = await import('./building/env-file.mjs');
const { stopWithParent } = await import('./building/stop-with-parent.mjs');
const { root } = await import('./building/targets.mjs');

try {
  await build(['server']);
} catch (error) {
  if (!(error instanceof BuildFailed)) throw error;
  console.error(error.message);
  process.exit(1);
}
// The compiler now writes to build/ itself, so the stamp would be wrong.
forget('server');

readEnvFile();
stopWithParent();
const bin = (...path) => join(root, 'node_modules', ...path);
// Separate process groups: Ctrl-C reaches only this process, so the server gets one signal, not two.
const children = [
  [bin('typescript', 'bin', 'tsc'), '-p', 'tsconfig.json', '--watch', '--preserveWatchOutput'],
  ['--watch', '--watch-preserve-output', 'build/server/main.js'],
  [bin('vite', 'bin', 'vite.js'), '--config', 'client/vite.config.ts', '--clearScreen', 'false'],
].map((command) =>
  spawn(process.execPath, command, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], detached: true }),
);

function signal(pid) {
  try {
    process.kill(process.platform === 'win32' ? Math.abs(pid) : pid, 'SIGTERM');
  } catch {
    // The process has already ended.
  }
}

let stopping = false;
function stop() {
  if (stopping) return;
  stopping = true;
  const [compiler, server, vite] = children;
  // The compiler runs in a child that does not forward signals, so the group is signalled; the watcher forwards to the server.
  signal(-compiler.pid);
  signal(server.pid);
  signal(-vite.pid);
}

process.on('SIGINT', stop).on('SIGTERM', stop).on('SIGHUP', stop);
const codes = await Promise.all(
  children.map(
    (child) =>
      new Promise((resolve) =>
        child.on('exit', (code) => {
          if (!stopping) process.exitCode = code || 1;
          stop();
          resolve(code);
        }),
      ),
  ),
);
console.error(`Stopped (${codes.map((code) => code ?? 'signal').join(', ')}).`);
