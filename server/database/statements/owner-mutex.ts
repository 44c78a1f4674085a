import { createKeyedMutex } from '../../lib/keyed-mutex.ts';

/**
 * Runs transactions that lock an owner's row, one at a time per owner. They wait here without a connection; waiting for
 * the row itself would hold one of few. Never call it inside a transaction.
 */
export const inOwnerMutex = createKeyedMutex();
