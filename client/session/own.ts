import { browserStorage } from '../lib/browser-storage.ts';
import { createOwnStorage } from './own-storage.ts';
import { session } from './session.ts';

/** Stands from the page's start on (connect.ts), so that it hears of every logout. */
export const own = createOwnStorage(browserStorage, session);
