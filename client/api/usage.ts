import type { Usage } from '../../server/contract.ts';
import { request } from './client.ts';

/** What the signed-in user holds, and may hold at most. A token that is no longer valid is found by a call that somebody made. */
export const readUsage = (signal: AbortSignal): Promise<Usage> =>
  request<Usage>('images/usage', { signal, keepsSession: true });
