/** A resumable upload (tus) of one file. Loaded when the first large file is sent. */
import { type DetailedError, Upload } from 'tus-js-client';
import type { PiecewiseUpload, UploadAnswer } from '../../../server/contract.ts';
import { ApiError, isAway, parseApiError, unreachable } from '../../api/api-error.ts';
import { apiUrl, authorization, reportStatus, request, storedToken } from '../../api/client.ts';
import { tellStored } from '../../api/images.ts';
import { MOST_TRIES, pauseAfter, wait } from './backoff.ts';
import { isReadable } from './readable.ts';

export interface Piecewise {
  /** URL of an upload begun earlier. */
  readonly url: string | undefined;
  /** Called with the upload's URL for resuming; undefined once there is nothing to resume. */
  readonly onUrl: (url: string | undefined) => void;
  readonly onSent: (sent: number, total: number) => void;
  /** Called when no answer comes, before a retry. */
  readonly onLost: () => void;
}

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

function outcomeIn(body: string): PiecewiseUpload | null {
  try {
    return JSON.parse(body) as PiecewiseUpload;
  } catch {
    return null;
  }
}

/** Resumes the upload from its current offset. @throws ApiError; the signal's reason */
function goOn(
  file: File,
  { url, onUrl, onSent }: Pick<Piecewise, 'url' | 'onUrl' | 'onSent'>,
  signal: AbortSignal,
): Promise<PiecewiseUpload | null> {
  let over = (): void => {};
  return new Promise<PiecewiseUpload | null>((resolve, reject) => {
    signal.throwIfAborted();
    const token = storedToken();
    const upload = new Upload(file, {
      // Without an endpoint, tus reports a missing upload instead of silently creating another.
      endpoint: url === undefined ? new URL(apiUrl('uploads'), window.location.href).href : null,
      uploadUrl: url ?? null,
      chunkSize: partSize,
      retryDelays: null,
      storeFingerprintForResuming: false,
      metadata: { filename: file.name },
      headers: { ...authorization(token), Prefer: 'return=representation' },
      onBeforeRequest: (call) => {
        (call.getUnderlyingObject() as XMLHttpRequest).withCredentials = true;
      },
      onUploadUrlAvailable: () => onUrl(upload.url ?? undefined),
      onProgress: (sent) => onSent(sent, file.size),
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
const passes = (error: ApiError): boolean => isAway(error) || [409, 423, 500].includes(error.status);

const idIn = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

/**
 * Uploads one file, with retries.
 * @returns the same as `uploadImages`, for one file
 * @throws ApiError for a refusal, or if the retries run out; the signal's reason if aborted
 */
export async function uploadInPieces(file: File, piecewise: Piecewise, signal: AbortSignal): Promise<UploadAnswer> {
  let { url } = piecewise;
  let [tries, furthest] = [0, 0];
  const onUrl = (next: string | undefined): void => {
    url = next;
    piecewise.onUrl(next);
  };
  const onSent = (sent: number, total: number): void => {
    if (sent > furthest) [tries, furthest] = [0, sent];
    piecewise.onSent(sent, total);
  };
  for (;;) {
    const sentSize = partSize;
    try {
      const last = await goOn(file, { url, onUrl, onSent }, signal);
      const outcome = last ?? (await request<PiecewiseUpload>(`uploads/${idIn(url ?? '')}`, { signal }));
      tellStored(outcome.image === null ? 0 : 1);
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
        if (error.status !== 404) void abandon(url).catch(() => undefined);
        onUrl(undefined);
      } else {
        if (!passes(error) || tries >= MOST_TRIES) throw error;
        // A file deleted from the disk fails like a lost network.
        if (error.status === 0 && !(await isReadable(file))) throw error;
        // While the browser is offline, tries do not count.
        if (navigator.onLine) tries += 1;
        piecewise.onLost();
        await wait(pauseAfter(navigator.onLine ? tries : MOST_TRIES), signal);
      }
    }
  }
}

/** Deletes an unfinished upload on the server. If this call fails, the upload expires there. */
export const abandon = (url: string): Promise<void> =>
  request<void>(`uploads/${idIn(url)}`, { method: 'delete', headers: { 'Tus-Resumable': '1.0.0' } });
