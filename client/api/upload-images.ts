import type { GuestImage, Rejection, StoredImage } from '../../server/contract.ts';
import { refusalText } from '../text/words.ts';
import { ApiError, parseApiError } from './api-error.ts';
import { postForm } from './post-form.ts';
import { uploadTarget } from './upload-target.ts';

/** What an account's answer and a guest's have in common. Guests are told neither the location nor of duplicates. */
export type UploadedImage = Readonly<
  Pick<GuestImage, 'filename' | 'size'> & Partial<Pick<StoredImage, 'location' | 'duplicate'>>
>;

/** Both lists are in sending order. */
export interface UploadResult {
  readonly images: readonly UploadedImage[];
  readonly rejected: readonly Rejection[];
}

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
): Promise<UploadResult> {
  const form = new FormData();
  for (const { file } of items) form.append('images', file, file.name);
  const keys = { 'Upload-Keys': items.map(({ key }) => key).join() };
  const { status, body, retryAfter } = await postForm(uploadTarget().form, form, keys, onSent, signal);
  if (status !== 201 && status !== 207) {
    throw new UploadRefused(parseApiError(status, body, retryAfter), readRejected(body));
  }
  const { images, rejected } = JSON.parse(body) as UploadResult;
  return { images, rejected: rejected.map(inWords) };
}

/** Translates a file's refusal to the page's language. */
const inWords = (rejection: Rejection): Rejection => ({ ...rejection, message: refusalText(rejection) });

function readRejected(body: string): readonly Rejection[] {
  try {
    const { rejected } = JSON.parse(body) as Partial<UploadResult>;
    return Array.isArray(rejected) ? rejected.map(inWords) : [];
  } catch {
    return [];
  }
}
