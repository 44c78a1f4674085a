import t from 'tap';
import { everythingOf } from '../database/statements/access.ts';
import type { Decoded } from '../decoder/pool/pool.ts';
import { createChecksumCache } from '../images/checksum-cache.ts';
import { createOrphanedBlobs } from '../images/orphaned-blobs/orphaned-blobs.ts';
import { createOrphanQueries } from '../images/orphaned-blobs/queries.ts';
import { findOwnImage } from '../images/queries.ts';
import { signIn } from '../testing/account.ts';
import { buildTestApp, temporaryFolder } from '../testing/app.ts';
import { storedFiles } from '../testing/disk.ts';
import { eventually } from '../testing/eventually.ts';
import { storeFiles } from '../testing/form.ts';
import { picture } from '../testing/pictures.ts';
import { createCabledDatabase } from '../testing/postgres/database-cable.ts';
import { query } from '../testing/postgres/embedded.ts';
import { rebuildRenditions } from './rebuild-renditions.ts';

t.test('a rendition written after its lock was lost is removed if its image was deleted', async (t) => {
  const { url, direct, pull, plugIn } = await createCabledDatabase(t);
  const dataDir = await temporaryFolder(t);
  const app = await buildTestApp(t, { databaseUrl: url, dataDir });
  const account = await signIn(app);
  const [image] = await storeFiles(app, account, [{ name: 'a.png', bytes: await picture() }]);
  const row = await findOwnImage(app.db, everythingOf(account.id), `${image?.id}`);
  if (!row) throw new Error('not stored');
  const { storage } = app;
  const { processRegistry } = app.database;
  const orphaned = createOrphanedBlobs({
    storage,
    queries: createOrphanQueries(app.db, processRegistry.number),
    isAlive: processRegistry.isAlive,
    log: app.log,
  });
  // Postgres releases the lock, a complete deletion runs, and only then does the disk write.
  const write: typeof storage.write = async (key, bytes) => {
    await pull();
    await eventually(
      'the database accepts the deletion',
      async () => (await query(direct, 'delete from images returning id').catch(() => [])).length === 1,
    );
    for (const gone of await storedFiles(dataDir)) if (!gone.startsWith('staging/')) await storage.remove(gone);
    await storage.write(key, bytes);
  };
  const thumbnail = Buffer.from('a thumbnail of another version');
  const decoded = { thumbnail, traces: 'none' } as unknown as Decoded;
  const rebuilt = rebuildRenditions(
    {
      db: app.db,
      storage: { ...storage, write },
      decoder: { decode: async () => ({ ok: true, image: decoded }) },
      checksums: createChecksumCache(storage),
      orphanedBlobs: orphaned,
    },
    row,
  );
  await t.rejects(rebuilt);
  await plugIn();
  await eventually('everything but staged files is swept', async () => {
    await orphaned.sweep().catch(() => undefined);
    return (await storedFiles(dataDir)).every((key) => key.startsWith('staging/'));
  });
  t.pass('the rendition is removed once the database answers');
});
