import { browserStorage } from '../lib/browser-storage.ts';
import { createOwnStorage } from './own-storage.ts';
import { session } from './session.ts';

/** Created at page start (connect.ts), so that it sees every logout. */
export const own = createOwnStorage(browserStorage, session);
