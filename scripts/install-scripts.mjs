// `npm run install:scripts`: runs the install scripts that package.json allows ("allowScripts"). npm itself runs none (.npmrc:
// ignore-scripts). `npm start` and `npm test` do not need this: the server links the embedded Postgres' libraries itself if
// it can write to node_modules.
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
