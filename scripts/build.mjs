// `node scripts/build.mjs [server|program|cli|client …]`: builds what is stale; without arguments, everything.
import './node-version.mjs';

const names = process.argv.slice(2);
const { build, BuildFailed, targets } = await import('./building/build.mjs');

const unknown = names.find((name) => !(name in targets));
if (unknown !== undefined) {
  console.error(`There is no target "${unknown}": ${Object.keys(targets).join(' or ')}, or nothing for all.`);
  process.exit(2);
}
try {
  await build(names.length > 0 ? names : Object.keys(targets));
} catch (error) {
  if (!(error instanceof BuildFailed)) throw error;
  console.error(error.message);
  process.exit(1);
}
