import { unreadableApps } from '../../auth/second-factor/unreadable-apps.ts';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../database/connect.ts';
import type { Report } from './issues.ts';

export async function checkAuthenticatorApps(db: Database, config: Config, report: Report): Promise<void> {
  for (const id of await unreadableApps(db, config)) report({ kind: 'app unreadable', subject: id, repaired: false });
}
