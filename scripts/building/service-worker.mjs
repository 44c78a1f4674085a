/**
 * Writes the service worker of a built page: `node service-worker.mjs <folder of the page>`. It contains the page's files and
 * a hash of them, so it changes whenever the page does.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './targets.mjs';

const [folder] = process.argv.slice(2);

/** Without pictures, which the page does not need offline. */
const assets = readdirSync(join(folder, 'assets'))
  .filter((name) => /\.(?:js|css|woff2)$/.test(name))
  .sort();
const files = ['/index.html', ...assets.map((name) => `/assets/${name}`)];
const hash = createHash('sha256');
for (const file of files) hash.update(file).update(readFileSync(join(folder, file)));

const bundle = await rolldown({
  cwd: root,
  platform: 'browser',
  input: join('client', 'install', 'service-worker.ts'),
  transform: { define: { __SHELL__: JSON.stringify({ version: hash.digest('hex').slice(0, 16), files }) } },
});
await bundle.write({ file: join(folder, 'sw.js'), format: 'iife', minify: true });
await bundle.close();
