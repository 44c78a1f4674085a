// `npm run bench [-- <name>… --rounds=<n>]`: builds what is stale, then measures. See bench/README.md.
import './node-version.mjs';

const { build, BuildFailed } = await import('./building/build.mjs');
const { stopWithParent } = await import('./building/stop-with-parent.mjs');
const { targets } = await import('./building/targets.mjs');

stopWithParent();
try {
  await build(Object.keys(targets));
} catch (error) {
  if (!(error instanceof BuildFailed)) throw error;
  console.error(error.message);
  process.exit(1);
}
await import('../build/bench/run.js');
