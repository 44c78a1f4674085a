// Removes from node_modules what the bundles contain, and keeps what they import at run time. The image needs nothing else.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { externals } from './building/externals.mjs';

const folder = 'node_modules';

const installed = readdirSync(folder).flatMap((name) =>
  name.startsWith('@') ? readdirSync(join(folder, name)).map((part) => `${name}/${part}`) : [name],
);

const kept = new Set();
function keep(name) {
  const manifest = join(folder, name, 'package.json');
  if (kept.has(name) || !existsSync(manifest)) return;
  kept.add(name);
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(manifest, 'utf8'));
  for (const each of Object.keys({ ...dependencies, ...optionalDependencies })) keep(each);
}

for (const name of installed) if (externals.some((pattern) => pattern.test(name))) keep(name);
for (const name of installed) if (!kept.has(name)) rmSync(join(folder, name), { recursive: true });
for (const name of readdirSync(folder)) {
  if (name.startsWith('@') && readdirSync(join(folder, name)).length === 0)
    rmSync(join(folder, name), { recursive: true });
}
