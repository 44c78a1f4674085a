import type { ObjectStore } from '../object-store.ts';
import type { Staging } from '../staging.ts';

/** Whose storage is opened, and what is put around its objects. */
export type Owner = {
  /** The id in the place's mark, which stands there already. */
  installation: string;
  /** This process's number (database/process-registry.ts). */
  process: bigint;
  /** Puts something around the objects, such as a seal; they have no `localPath` then. */
  wrap?: ((objects: ObjectStore, staging: Staging) => ObjectStore) | undefined;
  /** Where else objects are looked for (fallback.ts). */
  behind?: ((staging: Staging) => Promise<ObjectStore>) | undefined;
};
