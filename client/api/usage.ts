import type { Usage } from '../../server/contract.ts';
import { request } from './client.ts';

/** What the signed-in user holds, and may hold at most. */
export const readUsage = (signal: AbortSignal): Promise<Usage> => request<Usage>('images/usage', { signal });
