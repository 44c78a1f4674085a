import type {
  ExpiringImages,
  NewStableLink,
  RotatedLinks,
  StableLink,
  StableLinkAnswer,
  StableLinkChange,
  StableLinkList,
} from '../../server/contract.ts';
import { request } from './client.ts';

const pathOf = (id: string): string => `stable-links/${encodeURIComponent(id)}`;

/** Gives images new links; the former ones stop working. @param ids at most 100 */
export const rotateLinks = (ids: readonly string[]): Promise<RotatedLinks> =>
  request<RotatedLinks>('images/rotate', { method: 'post', json: { ids } });

/** At most 100 images that will expire, the next one first. */
export const listExpiring = (signal: AbortSignal, background: boolean): Promise<ExpiringImages> =>
  request<ExpiringImages>('images/expiring', { signal, keepsSession: background });

/** All stable links of the logged-in user, by name. */
export const listStableLinks = async (signal: AbortSignal, background: boolean): Promise<StableLink[]> =>
  (await request<StableLinkList>('stable-links', { signal, keepsSession: background })).stable_links;

export const createStableLink = async (link: NewStableLink): Promise<StableLink> =>
  (await request<StableLinkAnswer>('stable-links', { method: 'post', json: link })).stable_link;

export const changeStableLink = async (id: string, change: StableLinkChange): Promise<StableLink> =>
  (await request<StableLinkAnswer>(pathOf(id), { method: 'patch', json: change })).stable_link;

export const deleteStableLink = (id: string): Promise<void> => request<void>(pathOf(id), { method: 'delete' });
