import type { Usage } from '../../server/contract.ts';
import { request } from './client.ts';

/** The logged-in user's usage and quota. The user did not start this call, so a 401 does not end the session. */
export const readUsage = (signal: AbortSignal): Promise<Usage> =>
  request<Usage>('images/usage', { signal, keepsSession: true });
