import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { migrationsFolder } from '../database/migrations/migrate.ts';

/** Of this program, as its package says. */
export function programVersion(): string {
  const { version } = JSON.parse(readFileSync(join(dirname(migrationsFolder()), 'package.json'), 'utf8'));
  return String(version);
}
