import type { Image, ImageAnswer, ImageChange, ImagePage, Rejection, UploadAnswer } from '../../server/contract.ts';
import { api as texts } from '../text/words.ts';
import { ApiError, parseApiError } from './api-error.ts';
import { apiUrl, request, requestBytes } from './client.ts';
import { postForm } from './post-form.ts';

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

/** An upload that stored nothing. `rejected`: a reason per file, in sending order, if the server gave them. */
export class UploadRefused extends ApiError {
  readonly rejected: readonly Rejection[];

  constructor({ status, code, message, retryAfter }: ApiError, rejected: readonly Rejection[]) {
    super(status, code, message, { retryAfter });
    this.rejected = rejected;
  }
}

/**
 * Uploads files in one request.
 * @param items each with its upload key: files sent again with the same key are stored once
 * @param onSent called with the bytes sent and the request's total, including multipart overhead
 * @throws UploadRefused for an error answer, ApiError with status 0 for none, AbortError if aborted
 */
export async function uploadImages(
  items: readonly { readonly file: File; readonly key: string }[],
  onSent: (sent: number, total: number) => void,
  signal: AbortSignal,
): Promise<UploadAnswer> {
  const form = new FormData();
  for (const { file } of items) form.append('images', file, file.name);
  const keys = { 'Upload-Keys': items.map(({ key }) => key).join() };
  const { status, body, retryAfter } = await postForm('images/upload', form, keys, onSent, signal);
  if (status !== 201 && status !== 207) {
    throw new UploadRefused(parseApiError(status, body, retryAfter), readRejected(body));
  }
  const { images, rejected } = JSON.parse(body) as UploadAnswer;
  return { images, rejected: rejected.map(inWords) };
}

/** Translates a file's refusal to the page's language. */
const inWords = (rejection: Rejection): Rejection => ({ ...rejection, message: texts.refusal(rejection) });

function readRejected(body: string): readonly Rejection[] {
  try {
    const { rejected } = JSON.parse(body) as Partial<UploadAnswer>;
    return Array.isArray(rejected) ? rejected.map(inWords) : [];
  } catch {
    return [];
  }
}
