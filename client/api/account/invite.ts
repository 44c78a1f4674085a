/** The links of invitations, and the one that makes the first administrator. */
import type { InviteOffer, UserAnswer } from '../../../server/contract.ts';
import { request } from '../client.ts';

export const readInvite = (secret: string, signal: AbortSignal): Promise<InviteOffer> =>
  request<InviteOffer>('auth/invite', { method: 'post', json: { secret }, keepsSession: true, signal });

export const claimAdmin = (secret: string): Promise<UserAnswer> =>
  request<UserAnswer>('auth/claim', { method: 'post', json: { secret } });
