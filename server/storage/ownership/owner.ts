import type { ObjectStore } from '../object-store.ts';
import type { Staging } from '../staging.ts';

export type Owner = {
  installation: string;
  process: bigint;
  /** Wraps the objects, for instance to seal them; the result has no `localPath`. */
  wrap?: ((objects: ObjectStore, staging: Staging) => ObjectStore) | undefined;
  /** A second backend to read from (fallback.ts). */
  fallback?: ((staging: Staging) => Promise<ObjectStore>) | undefined;
};
