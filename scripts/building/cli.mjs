/** Bundles the command line client into one file without packages: `node cli.mjs <folder>`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './targets.mjs';

const [dir] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const bundle = await rolldown({
  cwd: root,
  platform: 'node',
  tsconfig: join(root, 'tsconfig.json'),
  input: 'cli/main.ts',
  transform: { define: { __VERSION__: JSON.stringify(version) } },
});
const file = join(dir, 'gallery.mjs');
/**
 * Runs as an ES module and as CommonJS: people install the file under a name without extension, and early Nodes then take it
 * for CommonJS. Both have import(), so the CommonJS bundle is a function that gets its `require` from there.
 */
const banner = `#!/usr/bin/env node
import('node:module').then(({ createRequire }) => ((require) => {`;
const footer = '})(createRequire(process.execPath)));';
const { output } = await bundle.write({ file, format: 'cjs', banner, footer });
await bundle.close();
const packages = output.flatMap(({ imports = [] }) => imports).filter((name) => !name.startsWith('node:'));
if (output.length > 1 || packages.length > 0) throw new Error(`The client needs more than one file: ${packages}`);
