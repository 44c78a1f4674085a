import { statfs } from 'node:fs/promises';
import type { Config } from '../config/config.ts';
import type { AdminOverview } from '../contract.ts';
import type { Database } from '../database/connect.ts';
import { programVersion } from '../lib/version.ts';
import { jobAnswer } from './jobs/answer.ts';
import { lastJob } from './jobs/queries.ts';
import { postgresVersion, renditionsDue, sumsOf } from './overview-queries.ts';

/** Bytes of the disk; null if the system does not tell. */
async function diskOf(folder: string) {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { disk_free: bavail * bsize, disk_size: blocks * bsize };
  } catch {
    return { disk_free: null, disk_size: null };
  }
}

export type StoredOverview = Omit<AdminOverview, 'can_decode'>;

/** What any process can read; only a running server can say whether it decodes. */
export async function overviewOf(db: Database, config: Config): Promise<StoredOverview> {
  const [doctor, backup] = [await lastJob(db, 'doctor'), await lastJob(db, 'backup')];
  return {
    ...(await sumsOf(db)),
    ...(await diskOf(config.dataDir)),
    // Otherwise they are made on request only.
    renditions_due: config.renditionsAhead === 'on' ? await renditionsDue(db) : 0,
    version: programVersion(),
    node_version: process.version,
    postgres_version: await postgresVersion(db),
    storage: config.storage,
    can_back_up: config.backupPath !== undefined,
    last_doctor: doctor ? jobAnswer(doctor) : null,
    last_backup: backup ? jobAnswer(backup) : null,
  };
}
