import { statfs } from 'node:fs/promises';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Config } from '../../config/config.ts';
import { AdminOverview } from '../../contract.ts';
import type { Database } from '../../database/connect.ts';
import { forAdmins } from '../../http/scopes.ts';
import { programVersion } from '../../lib/version.ts';
import { lastJob } from '../jobs/queries.ts';
import { jobAnswer } from './jobs.ts';
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

export async function overviewOf(db: Database, config: Config): Promise<AdminOverview> {
  const [doctor, backup] = [await lastJob(db, 'doctor'), await lastJob(db, 'backup')];
  return {
    ...(await sumsOf(db)),
    ...(await diskOf(config.dataDir)),
    renditions_due: await renditionsDue(db),
    version: programVersion(),
    node_version: process.version,
    postgres_version: await postgresVersion(db),
    storage: config.storage,
    can_back_up: config.backupPath !== undefined,
    last_doctor: doctor ? jobAnswer(doctor) : null,
    last_backup: backup ? jobAnswer(backup) : null,
  };
}

export const overviewRoute: FastifyPluginAsyncTypebox<{ config: Config }> = async (app, { config }) => {
  const reading = {
    config: forAdmins,
    schema: { operationId: 'readOverview', summary: 'Read the state of the server', response: { 200: AdminOverview } },
  };
  app.get('/overview', reading, () => overviewOf(app.db, config));
};
