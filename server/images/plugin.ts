import fp from 'fastify-plugin';
import { type ChecksumCache, createChecksumCache } from './checksum-cache.ts';
import { type AccountDeletion, createAccountDeletion, createDeletion, type Deletion } from './deletion/deletion.ts';
import { type CachedLinks, createCachedLinks } from './links/cached-links.ts';
import { createOrphanedBlobs, type OrphanedBlobs } from './orphaned-blobs/orphaned-blobs.ts';
import { createOrphanQueries } from './orphaned-blobs/queries.ts';
import { createRotation, type Rotation } from './rotation/rotation.ts';

type Images = {
  orphanedBlobs: OrphanedBlobs;
  checksums: ChecksumCache;
  links: CachedLinks;
  delete: Deletion;
  /** Deletes an account with its images. */
  deleteAccount: AccountDeletion;
  /** Gives images new links. */
  rotateLinks: Rotation;
};

declare module 'fastify' {
  interface FastifyInstance {
    images: Images;
  }
}

type Options = {
  /** Bytes of memory for the link cache. */
  cacheSize: number;
};

export const images = fp<Options>(
  async (app, { cacheSize }) => {
    const { db, storage, log } = app;
    const { processRegistry, subscribe, withLongTimeout } = app.database;
    const orphanedBlobs = createOrphanedBlobs({
      storage,
      queries: createOrphanQueries(db, processRegistry.number),
      isAlive: processRegistry.isAlive,
      log,
    });
    const links = createCachedLinks({ size: cacheSize, subscribe });
    app.shutdown.onStop(app.monitoring.watchCollection(db).close);
    app.decorate('images', {
      orphanedBlobs,
      checksums: createChecksumCache(storage),
      links,
      delete: createDeletion({
        db,
        process: processRegistry.number,
        orphanedBlobs,
        ...links,
      }),
      deleteAccount: createAccountDeletion({ withLongTimeout, forgetAll: links.forgetAll }),
      rotateLinks: createRotation({ db, ...links }),
    });
  },
  { name: 'images', dependencies: ['monitoring', 'database', 'storage'] },
);
