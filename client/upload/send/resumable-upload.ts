/** A resumable upload (tus) of one file. Loaded when the first large file is sent. */
import { type DetailedError, Upload } from 'tus-js-client';
import type { ResumableUpload } from '../../../server/contract.ts';
import { ApiError, isAway, parseApiError, unreachable } from '../../api/api-error.ts';
import { apiUrl, authorization, reportStatus, request, storedToken } from '../../api/client.ts';
import type { UploadedImage, UploadResult } from '../../api/upload-images.ts';
import { uploadTarget } from '../../api/upload-target.ts';
import { invalidateImages } from '../../query/images-stored.ts';
import { MOST_TRIES, pauseAfter, wait } from './backoff.ts';
import type { KeyedFile, ResumableProgress } from './environment.ts';
import { isFull } from './final-refusals.ts';
import { isReadable } from './is-readable.ts';

const LARGEST_PART = 2 ** 23;
const SMALLEST_PART = 2 ** 18;

/** Bytes. Stays reduced after a proxy refused larger parts. */
let partSize = LARGEST_PART;

function errorOf(error: Error | DetailedError): Error {
  const response = 'originalResponse' in error ? error.originalResponse : null;
  if (!response) return unreachable(error);
  const status = response.getStatus();
  if (status === 0) return unreachable(error);
  return parseApiError(status, response.getBody() ?? '', response.getHeader('Retry-After') ?? null);
}

/** The result of an account's or a guest's upload. */
type Ended = Pick<ResumableUpload, 'rejected'> & { readonly image: UploadedImage | null };

function outcomeIn(body: string): Ended | null {
  try {
    return JSON.parse(body) as Ended;
  } catch {
    return null;
  }
}

/** A file with its upload key: if the answer to its first call is lost, the next call replaces that upload. */
type Sent = Pick<KeyedFile, 'file' | 'key'>;

/** Resumes the upload from its current offset. @throws ApiError; the signal's reason */
function resume(
  { file, key }: Sent,
  url: string | undefined,
  { onUrl, onOffset, onSent }: Omit<ResumableProgress, 'onOffline'>,
  signal: AbortSignal,
): Promise<Ended | null> {
  let over = (): void => {};
  return new Promise<Ended | null>((resolve, reject) => {
    signal.throwIfAborted();
    const token = storedToken();
    // tus first reports the offset at which it begins.
    let hasBegun = false;
    const upload = new Upload(file, {
      // Without an endpoint, tus reports a missing upload instead of silently creating another.
      endpoint: url === undefined ? new URL(apiUrl(uploadTarget().resumable), window.location.href).href : null,
      uploadUrl: url ?? null,
      chunkSize: partSize,
      retryDelays: null,
      storeFingerprintForResuming: false,
      metadata: { filename: file.name, upload_key: key },
      headers: { ...authorization(token), Prefer: 'return=representation' },
      onBeforeRequest: (call) => {
        (call.getUnderlyingObject() as XMLHttpRequest).withCredentials = true;
      },
      onUploadUrlAvailable: () => onUrl(upload.url ?? undefined),
      onProgress(sent) {
        if (hasBegun) onSent(sent);
        else onOffset(sent);
        hasBegun = true;
      },
      onError: (error) => {
        const failure = errorOf(error);
        if (failure instanceof ApiError) reportStatus(failure.status, token);
        reject(failure);
      },
      onSuccess: ({ lastResponse }) => resolve(outcomeIn(lastResponse.getBody() ?? '')),
    });
    const stop = (): void => {
      void upload.abort();
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop);
    over = () => signal.removeEventListener('abort', stop);
    upload.start();
  }).finally(() => over());
}

/** Whether the failure is temporary: the server is away, or an earlier call is still writing. */
const passes = (error: ApiError): boolean =>
  isAway(error) || ([409, 423, 500].includes(error.status) && !isFull(error.code));

const pathOf = (url: string): string => uploadTarget().resumable + url.slice(url.lastIndexOf('/'));

/**
 * Uploads one file, with retries.
 * @param begun the URL of an upload begun earlier
 * @returns the same as `uploadImages`, for one file
 * @throws ApiError for a refusal, or if the retries run out; the signal's reason if aborted
 */
export async function uploadResumable(
  sent: Sent,
  begun: string | undefined,
  report: ResumableProgress,
  signal: AbortSignal,
): Promise<UploadResult> {
  let url = begun;
  let [tries, furthest] = [0, 0];
  const advance = (sent: number): void => {
    if (sent > furthest) [tries, furthest] = [0, sent];
  };
  const onUrl = (next: string | undefined): void => {
    url = next;
    report.onUrl(next);
  };
  const onOffset = (offset: number): void => {
    advance(offset);
    report.onOffset(offset);
  };
  const onSent = (sent: number): void => {
    advance(sent);
    report.onSent(sent);
  };
  for (;;) {
    const sentSize = partSize;
    try {
      const last = await resume(sent, url, { onUrl, onOffset, onSent }, signal);
      const outcome = last ?? (await request<Ended>(pathOf(url ?? ''), { signal }));
      invalidateImages(outcome.image === null ? 0 : 1);
      return {
        images: outcome.image === null ? [] : [outcome.image],
        rejected: outcome.rejected === null ? [] : [outcome.rejected],
      };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ApiError)) throw error;
      if (error.code === 'HTTP_413' && partSize > SMALLEST_PART) {
        // This is not our server's answer, but a proxy's.
        partSize = Math.max(SMALLEST_PART, Math.min(partSize, sentSize / 2));
      } else if (url !== undefined && (error.status === 404 || error.code === 'TOO_MANY_PARTS')) {
        // Starts again. After too many parts, the server still holds the old upload: delete it.
        if (error.status !== 404) void deleteUpload(url).catch(() => undefined);
        onUrl(undefined);
      } else {
        if (!passes(error) || tries >= MOST_TRIES) throw error;
        // A file deleted from the disk fails like a lost network.
        if (error.status === 0 && !(await isReadable(sent.file))) throw error;
        // While the browser is offline, tries do not count.
        if (navigator.onLine) tries += 1;
        report.onOffline();
        await wait(pauseAfter(navigator.onLine ? tries : MOST_TRIES), signal);
      }
    }
  }
}

/** Deletes an unfinished upload on the server. If this call fails, the upload expires there. */
export const deleteUpload = (url: string): Promise<void> =>
  request<void>(pathOf(url), { method: 'delete', headers: { 'Tus-Resumable': '1.0.0' } });
