import { createKeyedMutex } from '../../lib/keyed-mutex.ts';

/**
 * Runs transactions that lock their owner's row, one at a time for each owner. They wait here before they take a connection: a
 * transaction that waits for the row holds one, and there are few. Never call it inside a transaction.
 */
export const inOwnerMutex = createKeyedMutex();
