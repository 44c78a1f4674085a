import type { ObjectStore } from '../object-store.ts';
import type { Staging } from '../staging.ts';

/** The owner of a storage that is opened, and wrappers for its objects. */
export type Owner = {
  /** The id in the existing ownership marker. */
  installation: string;
  /** This process's number (database/process-registry.ts). */
  process: bigint;
  /** Wraps the objects, for instance to seal them; the result has no `localPath`. */
  wrap?: ((objects: ObjectStore, staging: Staging) => ObjectStore) | undefined;
  /** A second backend to read from (fallback.ts). */
  behind?: ((staging: Staging) => Promise<ObjectStore>) | undefined;
};
