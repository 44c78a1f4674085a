/** Copies the OpenAPI document to the compiled files, without its spaces: `node copy-openapi.mjs <folder>`. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './targets.mjs';

const [folder] = process.argv.slice(2);
const document = readFileSync(join(root, 'server', 'openapi', 'openapi.json'), 'utf8');
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'openapi.json'), JSON.stringify(JSON.parse(document)));
