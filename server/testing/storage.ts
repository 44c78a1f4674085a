import { randomUUID } from 'node:crypto';
import { openDiskStorage } from '../storage/disk/open.ts';
import { makeMarker } from '../storage/ownership/marker.ts';
import type { Storage } from '../storage/storage.ts';

/** A storage without a database. */
export async function openTestStorage(root: string): Promise<Storage> {
  return openDiskStorage(root, { installation: await makeMarker(root, randomUUID()), process: 1n });
}
