import type { Image, ImageAnswer, ImageChange, ImagePage } from '../../server/contract.ts';
import { apiUrl, request, requestBytes } from './client.ts';

/**
 * One page of the logged-in user's images, newest first by default. `page` from 1; `search` is matched literally against filename
 * and description, except for its operators. `background`: the user did not start the call, so a 401 does not end the session.
 */
export function listImages(
  { page, search, ...order }: { page: number; search: string; sort?: string; order?: string },
  signal: AbortSignal,
  background: boolean,
): Promise<ImagePage> {
  return request<ImagePage>('images/', { searchParams: { page, search, ...order }, signal, keepsSession: background });
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
