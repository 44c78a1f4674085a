import type { Image, ImageAnswer, ImageChange, ImagePage } from '../../server/contract.ts';
import { apiUrl, request, requestBytes } from './client.ts';
import { namedZone } from './time-zone.ts';

const hasDate = (search: string): boolean => /\b(?:before|after|on):/i.test(search);

/** The reader's, in which cards show the dates. */
const timeZone = () => namedZone(new Intl.DateTimeFormat().resolvedOptions().timeZone);

/**
 * One page of the logged-in user's images, newest first by default. `page` from 1; `search` is matched literally against filename
 * and description, except for its operators. `deleted`: how many images of the pages before were deleted since those were listed; the
 * page begins that much earlier. `language`: of the order by name. `background`: the user did not start the call, so a 401 does not end the session.
 */
export function listImages(
  asked: { page: number; deleted?: number; search: string; sort?: string; order?: string; language?: string },
  signal: AbortSignal,
  background: boolean,
): Promise<ImagePage> {
  const searchParams = { ...asked, ...(hasDate(asked.search) ? timeZone() : {}) };
  return request<ImagePage>('images/', { searchParams, signal, keepsSession: background });
}

/** @returns the image as stored: the server may clean a filename */
export async function changeImage(id: string, change: ImageChange): Promise<Image> {
  const path = `images/${encodeURIComponent(id)}`;
  const { image } = await request<ImageAnswer>(path, { method: 'patch', json: change });
  return image;
}

export function deleteImage(id: string): Promise<void> {
  return request<void>(`images/delete/${encodeURIComponent(id)}`, { method: 'delete' });
}

const originalPath = (id: string): string => `images/${encodeURIComponent(id)}/original`;

/** URL of the logged-in user's own original; on the page's own host the cookie authorizes it. */
export const originalUrl = (id: string): string => apiUrl(originalPath(id));

/** The untouched bytes of an image, as uploaded. */
export const fetchOriginal = (id: string): Promise<Blob> => requestBytes(originalPath(id));

const archivePath = (ids: readonly string[]): string => `images/archive?ids=${ids.map(encodeURIComponent).join()}`;

/** URL of a ZIP with the logged-in user's originals; at most 200. */
export const archiveUrl = (ids: readonly string[]): string => apiUrl(archivePath(ids));

export const fetchArchive = (ids: readonly string[]): Promise<Blob> => requestBytes(archivePath(ids));
