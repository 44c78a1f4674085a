// `npm start`: builds what is stale, then runs the server in this very process, so that signals reach it.
import './node-version.mjs';

const { build, BuildFailed, targets } = await import('./building/build.mjs');
const { readEnvFile } = await import('./building/env-file.mjs');
const { stopWithParent } = await import('./building/stop-with-parent.mjs');

stopWithParent();
try {
  await build(Object.keys(targets));
} catch (error) {
  if (!(error instanceof BuildFailed)) throw error;
  console.error(error.message);
  process.exit(1);
}
readEnvFile();
await import('../build/server/main.js');
