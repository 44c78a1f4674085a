import type { NewShare, Share, ShareChange, ShareList, SharePage } from '../../server/contract.ts';
import { request } from './client.ts';

interface ShareAnswer {
  readonly share: Share;
}

const pathOf = (id: string): string => `shares/${encodeURIComponent(id)}`;

/** All shares of the logged-in user, the newest first, without the public pages of albums, which the albums contain. */
export const listShares = async (signal: AbortSignal, background: boolean): Promise<Share[]> =>
  (await request<ShareList>('shares', { signal, keepsSession: background })).shares.filter(
    (share) => !share.public_album,
  );

export const createShare = async (share: NewShare): Promise<Share> =>
  (await request<ShareAnswer>('shares', { method: 'post', json: share })).share;

export const changeShare = async (id: string, change: ShareChange): Promise<Share> =>
  (await request<ShareAnswer>(pathOf(id), { method: 'patch', json: change })).share;

/** The link stops working for good. */
export const endShare = (id: string): Promise<void> => request<void>(pathOf(id), { method: 'delete' });

/** One page of what a share shows. @param page from 1 */
export const listShareImages = (id: string, page: number, signal: AbortSignal): Promise<SharePage> =>
  request<SharePage>(`${pathOf(id)}/images`, { searchParams: { page }, signal });

/** At the end of a selection. */
export const addToShare = async (id: string, ids: readonly string[]): Promise<Share> =>
  (await request<ShareAnswer>(`${pathOf(id)}/images`, { method: 'post', json: { ids } })).share;

/** Of a selection. The images stay in the gallery. */
export const removeFromShare = async (id: string, ids: readonly string[]): Promise<Share> =>
  (await request<ShareAnswer>(`${pathOf(id)}/images`, { method: 'delete', json: { ids } })).share;
