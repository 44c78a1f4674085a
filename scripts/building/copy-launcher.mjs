/** Copies the decoder launcher, a Perl script, to the compiled files: `node copy-launcher.mjs <folder>`. */
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './targets.mjs';

const [folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
copyFileSync(join(root, 'server', 'decoder', 'cage', 'cage.pl'), join(folder, 'cage.pl'));
