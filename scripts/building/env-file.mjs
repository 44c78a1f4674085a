import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './targets.mjs';

/** Reads unset variables from `.env`, if it exists: the file that docker compose reads too. */
export function readEnvFile() {
  const path = join(root, '.env');
  if (existsSync(path)) process.loadEnvFile(path);
}
