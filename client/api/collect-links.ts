import type {
  CollectLink,
  CollectLinkChange,
  NewCollectLink,
  WaitingDecision,
  WaitingPage,
} from '../../server/contract.ts';
import { request, requestBytes } from './client.ts';

interface Answer {
  readonly collect_link: CollectLink;
}

const pathOf = (id: string): string => `collect-links/${encodeURIComponent(id)}`;

/** All collect links of the logged-in user, the newest first. */
export const listCollectLinks = async (signal: AbortSignal, background: boolean): Promise<CollectLink[]> =>
  (await request<{ collect_links: CollectLink[] }>('collect-links', { signal, keepsSession: background }))
    .collect_links;

export const createCollectLink = async (link: NewCollectLink): Promise<CollectLink> =>
  (await request<Answer>('collect-links', { method: 'post', json: link })).collect_link;

export const changeCollectLink = async (id: string, change: CollectLinkChange): Promise<CollectLink> =>
  (await request<Answer>(pathOf(id), { method: 'patch', json: change })).collect_link;

/** Its images stay. */
export const endCollectLink = (id: string): Promise<void> => request<void>(pathOf(id), { method: 'delete' });

/** The first images that wait, the newest first. */
export const listWaiting = (signal: AbortSignal, background: boolean): Promise<WaitingPage> =>
  request<WaitingPage>('collect-links/waiting', { signal, keepsSession: background });

/** @param ids at most 100 */
export const decideWaiting = (decision: 'admit' | 'refuse', ids: readonly string[]): Promise<WaitingDecision> =>
  request<WaitingDecision>(`collect-links/waiting/${decision}`, { method: 'post', json: { ids } });

/** The link of a waiting image is closed, so its bytes need the login. */
export function waitingPicture(
  id: string,
  which: 'thumbnail' | 'screen' | 'original',
  signal: AbortSignal,
): Promise<Blob> {
  const name = encodeURIComponent(id);
  const path = which === 'original' ? `images/${name}/original` : `collect-links/waiting/${name}/${which}.webp`;
  return requestBytes(path, { signal });
}
