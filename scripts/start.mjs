// `npm start`: builds what is stale, then runs the server and restarts it after a crash.
import './node-version.mjs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const { build, BuildFailed } = await import('./building/build.mjs');
const { readEnvFile } = await import('./building/env-file.mjs');
const { stopWithParent } = await import('./building/stop-with-parent.mjs');
const { root, shipped } = await import('./building/targets.mjs');

stopWithParent();
try {
  await build(shipped);
} catch (error) {
  if (!(error instanceof BuildFailed)) throw error;
  console.error(error.message);
  process.exit(1);
}
readEnvFile();
// Part of what was just built.
const program = join(root, 'build', 'program');
const { supervise } = await import(pathToFileURL(join(program, 'supervisor.js')));
process.exit(await supervise(join(program, 'main.js')));
