import type { Config } from '../../config/config.ts';
import type { Database } from '../../database/connect.ts';
import { knownSecret } from '../secret.ts';
import { listTotpSecrets } from './queries.ts';
import { createSealing } from './sealing.ts';

/** @returns ids of the accounts whose authenticator apps a server of this configuration cannot check */
export async function unreadableApps(db: Database, config: Pick<Config, 'jwtSecret' | 'dataDir'>): Promise<string[]> {
  const secret = await knownSecret(config);
  const sealing = secret === undefined ? undefined : createSealing(secret);
  const apps = await listTotpSecrets(db);
  return apps.filter(({ userId, secret: sealed }) => !sealing?.open(sealed, userId)).map(({ userId }) => userId);
}
