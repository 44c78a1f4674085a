import type { Database } from '../../database/connect.ts';
import type { Report } from './issues.ts';
import { isSuperuser } from './queries.ts';

export async function checkRole(db: Database, report: Report): Promise<void> {
  if (!(await isSuperuser(db))) return;
  const detail =
    'names a superuser of Postgres: use a role that owns the tables and nothing else (docs/run/installation.md, "Upgrading")';
  report({ kind: 'setting open', subject: 'DATABASE_URL', detail, repaired: false });
}
