import fp from 'fastify-plugin';
import { UNOWNED } from '../database/process-registry.ts';
import type { ConfirmedUser } from '../database/statements/unchanged-user.ts';
import { type ChecksumCache, createChecksumCache } from './checksum-cache.ts';
import { createAccountDeletion } from './deletion/account-deletion.ts';
import { createDeletion, type Deletion } from './deletion/deletion.ts';
import { deleteAccount, deleteImage } from './deletion/queries.ts';
import { type CachedLinks, createCachedLinks } from './links/cached-links.ts';
import { createOrphanedBlobs, type OrphanedBlobs } from './orphaned-blobs/orphaned-blobs.ts';
import { createOrphanQueries } from './orphaned-blobs/queries.ts';

type Images = {
  orphanedBlobs: OrphanedBlobs;
  checksums: ChecksumCache;
  links: CachedLinks;
  delete: Deletion;
  /** Deletes an account with its images. @returns false if the account changed after the confirmation */
  deleteAccount: (user: ConfirmedUser) => Promise<boolean>;
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
    const { db, presence, storage, log } = app;
    const orphanedBlobs = createOrphanedBlobs({
      storage,
      queries: createOrphanQueries(db, presence.number),
      isAlive: presence.isAlive,
      log,
    });
    const links = createCachedLinks({ size: cacheSize, subscribe: app.subscribe });
    app.onStop(app.monitoring.watchCollection(db).close);
    app.decorate('images', {
      orphanedBlobs,
      checksums: createChecksumCache(storage),
      links,
      delete: createDeletion({
        orphanedBlobs,
        deleteImage: (ownerId, id) => deleteImage(db, { ownerId, id, process: presence.number }),
        ...links,
      }),
      deleteAccount: createAccountDeletion({
        deleteAccount: (user) => app.withLongTimeout((patient) => deleteAccount(patient, user, UNOWNED)),
        forgetAll: links.forgetAll,
        purge: () => app.sweeps.purge(),
      }),
    });
  },
  { name: 'images', dependencies: ['monitoring', 'database', 'storage'] },
);
