/** Galleries to back up, and empty targets for restores. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type postgres from 'postgres';
import type { Test } from 'tap';
import { type BackupOptions, type BackupResult, backUp } from '../../backup/backup.ts';
import { parseDatabaseUrl } from '../../database/address.ts';
import { connect } from '../../database/connect.ts';
import { joinProcesses, type ProcessRegistry } from '../../database/process-registry.ts';
import type { Backend } from '../../storage/backend.ts';
import { diskBackend } from '../../storage/disk/backend.ts';
import type { Storage } from '../../storage/storage.ts';
import { signIn, type TestAccount } from '../account.ts';
import { buildTestApp, type TestOptions, temporaryFolder } from '../app.ts';
import { storedFiles } from '../disk.ts';
import { createTestDatabase } from '../postgres/database.ts';

export type Gallery = {
  app: FastifyInstance;
  account: TestAccount;
  sql: postgres.Sql;
  url: string;
  dataDir: string;
  /**
   * @param options.onRead is awaited before each file is read
   * @param options.plainRows writes plain rows with sealed pictures, like earlier versions or without a present key
   */
  backUp(
    file: string,
    options?: Partial<BackupOptions> & { onRead?: () => Promise<void>; plainRows?: boolean },
  ): Promise<BackupResult>;
};

export async function startGallery(t: Test, settings: TestOptions = {}): Promise<Gallery> {
  const { url, sql } = await testDatabase(t);
  const dataDir = await temporaryFolder(t);
  const app = await buildTestApp(t, { databaseUrl: url, dataDir, ...settings });
  return {
    app,
    account: await signIn(app),
    sql,
    url,
    dataDir,
    backUp(file, { onRead, plainRows = false, ...options } = {}) {
      const read: Storage['read'] = async (key) => {
        if (key !== 'installation') await onRead?.();
        return app.storage.read(key);
      };
      const { sealing } = app.storage;
      const opening = sealing && { ...sealing, keyring: { ...sealing.keyring, present: undefined } };
      const storage = { ...app.storage, read, sealing: plainRows ? opening : sealing };
      return backUp({ sql, storage, version: '0.1.0' }, { file, ...options });
    },
  };
}

/** The same gallery with a new account, without rows and files of earlier tests. */
export async function emptied(gallery: Gallery): Promise<Gallery> {
  const { app, sql, dataDir } = gallery;
  await sql`delete from users`;
  await sql`delete from held_names`;
  await sql`delete from orphaned_blobs`;
  for (const name of await storedFiles(dataDir)) await rm(join(dataDir, 'files', name), { force: true });
  return { ...gallery, account: await signIn(app) };
}

export type RestoreTarget = {
  url: string;
  sql: postgres.Sql;
  dataDir: string;
  root: string;
  target: Backend;
  process: bigint;
  isAlive: ProcessRegistry['isAlive'];
};

/** An empty, migrated database and a folder that does not exist yet. */
export async function emptyTarget(t: Test): Promise<RestoreTarget> {
  const { url, sql } = await testDatabase(t);
  const dataDir = join(await temporaryFolder(t), 'data');
  const processRegistry = await joinProcesses(parseDatabaseUrl(url), { sql, log: { info: () => {}, error: () => {} } });
  t.teardown(() => processRegistry.close());
  const root = join(dataDir, 'files');
  return {
    url,
    sql,
    dataDir,
    root,
    target: diskBackend(root),
    process: processRegistry.number,
    isAlive: processRegistry.isAlive,
  };
}

async function testDatabase(t: Test): Promise<{ url: string; sql: postgres.Sql }> {
  const { url } = await createTestDatabase(t);
  // The commands' client too has type parsers changed by drizzle, which connect() does.
  const { sql, close } = connect(url, { max: 4 });
  t.teardown(close);
  return { url, sql };
}
