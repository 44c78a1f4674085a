// `npm run admin -- <command>`: builds the program if it is stale, then runs the administrator's program in this process.
import './node-version.mjs';

const { build, BuildFailed } = await import('./building/build.mjs');
const { readEnvFile } = await import('./building/env-file.mjs');
const { stopWithParent } = await import('./building/stop-with-parent.mjs');

stopWithParent();
try {
  await build(['program']);
} catch (error) {
  if (!(error instanceof BuildFailed)) throw error;
  console.error(error.message);
  process.exit(1);
}
readEnvFile();
await import('../build/program/admin.js');
