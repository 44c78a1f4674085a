import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './targets.mjs';

/** Takes what the environment does not say from `.env`, where there is one: the same file that docker compose reads. */
export function readEnvFile() {
  const path = join(root, '.env');
  if (existsSync(path)) process.loadEnvFile(path);
}
