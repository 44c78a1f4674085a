import type { Image, ImageAnswer, ImageChange, ImagePage, Rejection, UploadAnswer } from '../../server/contract.ts';
import { texts } from '../text/api.ts';
import { ApiError, parseApiError } from './api-error.ts';
import { apiUrl, request, requestBytes } from './client.ts';
import { postForm } from './post-form.ts';

type Listener = () => void;

const imagesStored = new Set<Listener>();
const holdingsChanged = new Set<Listener>();

function listen(to: Set<Listener>, listener: Listener): () => void {
  to.add(listener);
  return () => to.delete(listener);
}

function tell(listeners: Set<Listener>): void {
  for (const listener of listeners) listener();
}

/** To be told when images were stored, so that a gallery that is on the screen can show them. */
export const onImagesStored = (listener: Listener): (() => void) => listen(imagesStored, listener);

/** To be told when what the account holds is not what was last read: an upload has stored some, or found no room. */
export const onHoldingsChange = (listener: Listener): (() => void) => listen(holdingsChanged, listener);

/** An upload has ended. @param images that it stored */
export function tellStored(images: number): void {
  if (images > 0) tell(imagesStored);
  tell(holdingsChanged);
}

/**
 * One page of the signed-in user's images, the newest first unless an order is given. `page` from 1; `search` is matched literally
 * in filename and description, save for its operators.
 * `quietly`: nobody asked for it, so its refusal ends no session.
 */
export function listImages(
  { page, search, ...order }: { page: number; search: string; sort?: string; order?: string },
  signal: AbortSignal,
  quietly: boolean,
): Promise<ImagePage> {
  return request<ImagePage>('images/', { searchParams: { page, search, ...order }, signal, keepsSession: quietly });
}

const imageChanged = new Set<(image: Image) => void>();

/** To be told of an image that has another name or description. */
export function onImageChanged(listener: (image: Image) => void): () => void {
  imageChanged.add(listener);
  return () => imageChanged.delete(listener);
}

/** @returns the image as the server has it then: a name may have been cleaned */
export async function changeImage(id: string, change: ImageChange): Promise<Image> {
  const path = `images/${encodeURIComponent(id)}`;
  const { image } = await request<ImageAnswer>(path, { method: 'patch', json: change });
  for (const listener of imageChanged) listener(image);
  return image;
}

export function deleteImage(id: string): Promise<void> {
  return request<void>(`images/delete/${encodeURIComponent(id)}`, { method: 'delete' });
}

const originalPath = (id: string): string => `images/${encodeURIComponent(id)}/original`;

/** Where the signed-in user's own image stands untouched; on the page's own host the cookie opens it. */
export const originalUrl = (id: string): string => apiUrl(originalPath(id));

/** The untouched bytes of an image, as they were uploaded. */
export const fetchOriginal = (id: string): Promise<Blob> => requestBytes(originalPath(id));

const archivePath = (ids: readonly string[]): string => `images/archive?ids=${ids.map(encodeURIComponent).join()}`;

/** Where several of the signed-in user's own images stand, untouched, as one ZIP; at most 200. */
export const archiveUrl = (ids: readonly string[]): string => apiUrl(archivePath(ids));

export const fetchArchive = (ids: readonly string[]): Promise<Blob> => requestBytes(archivePath(ids));

/** An upload of which nothing was stored. `rejected`: a reason for each file, in the order sent, where the server gave them. */
export class UploadRefused extends ApiError {
  readonly rejected: readonly Rejection[];

  constructor({ status, code, message, retryAfter }: ApiError, rejected: readonly Rejection[]) {
    super(status, code, message, { retryAfter });
    this.rejected = rejected;
  }
}

/**
 * Uploads files in one request.
 * @param items each with what it is called when it is sent, and sent again: the server stores it once
 * @param onSent told as bytes leave: those sent and those of the whole request, multipart frames included
 * @throws UploadRefused for an answer that is an error, ApiError with status 0 for none; an aborted call throws its AbortError
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
    const refused = new UploadRefused(parseApiError(status, body, retryAfter), readRejected(body));
    // Another window has filled the account, or it has less room than was shown here.
    if (refused.code === 'QUOTA_EXCEEDED') tell(holdingsChanged);
    throw refused;
  }
  const { images, rejected } = JSON.parse(body) as UploadAnswer;
  const answer: UploadAnswer = { images, rejected: rejected.map(inWords) };
  tellStored(answer.images.length);
  return answer;
}

/** A file's refusal in the reader's language. */
const inWords = (rejection: Rejection): Rejection => ({ ...rejection, message: texts.refusal(rejection) });

function readRejected(body: string): readonly Rejection[] {
  try {
    const { rejected } = JSON.parse(body) as Partial<UploadAnswer>;
    return Array.isArray(rejected) ? rejected.map(inWords) : [];
  } catch {
    return [];
  }
}
