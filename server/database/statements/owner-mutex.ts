import { createKeyedMutex } from '../../lib/keyed-mutex.ts';

/**
 * Runs transactions that lock an owner's row, one at a time per owner. They wait here without a connection; waiting for
 * the row itself would hold one of few. Never call it inside a transaction.
 */
export const inOwnerMutex = createKeyedMutex();

/** Guests of a collect link wait for each other here first, so that at most one of them waits for the lock of the owner. */
export const inLinkMutex = createKeyedMutex();
