// Runs the install scripts of the packages that package.json allows ("allowScripts"), and of no others: `npm run install:scripts`.
// npm itself runs none (.npmrc: ignore-scripts), whatever its version. Nothing here is needed for `npm start` and `npm
// test`: the server makes the links of the embedded Postgres itself, where it may write into node_modules.
import './node-version.mjs';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const project = dirname(import.meta.dirname);
const { allowScripts = {} } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
const installed = Object.entries(allowScripts)
  .filter(([name, isAllowed]) => isAllowed === true && existsSync(join(project, 'node_modules', name)))
  .map(([name]) => name);

if (installed.length === 0) console.log('No package that may run an install script is installed.');
else {
  console.log(`Running the install scripts of ${installed.join(', ')}.`);
  const { status } = spawnSync('npm', ['rebuild', '--ignore-scripts=false', ...installed], {
    cwd: project,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  process.exitCode = status ?? 1;
}
