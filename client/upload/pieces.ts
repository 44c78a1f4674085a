/** One file in pieces (tus), going on after whatever broke it off. Loaded when the first large file is sent. */
import { type DetailedError, Upload } from 'tus-js-client';
import type { PiecewiseUpload, UploadAnswer } from '../../server/contract.ts';
import { ApiError, isAway, parseApiError, unreachable } from '../api/api-error.ts';
import { apiUrl, authorization, reportStatus, request, storedToken } from '../api/client.ts';
import { tellStored } from '../api/images.ts';
import { MOST_TRIES, pauseAfter, wait } from './patience.ts';
import { isReadable } from './readable.ts';

export interface Piecewise {
  /** Of an upload that was begun before. */
  readonly url: string | undefined;
  /** Told where the upload stands, so that it can be gone on with; undefined once there is nothing to go on with. */
  readonly onUrl: (url: string | undefined) => void;
  readonly onSent: (sent: number, total: number) => void;
  /** No answer comes: it is tried again by itself. */
  readonly onLost: () => void;
}

const LARGEST_PART = 2 ** 23;
const SMALLEST_PART = 2 ** 18;

/** Bytes. What a proxy on the way took once it will take again. */
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

/** From where the upload stands to its end. @throws ApiError; the signal's reason */
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
      // Without an endpoint an upload that is not there any more is told, not silently begun anew.
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

/** Not for good: nobody is there just now, or an earlier call still writes. */
const passes = (error: ApiError): boolean => isAway(error) || [409, 423, 500].includes(error.status);

const idIn = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

/**
 * Uploads one file, however often it is broken off.
 * @returns as `uploadImages` does, of the one file
 * @throws ApiError for a refusal, or when no answer came for long; an aborted call throws the signal's reason
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
        // Not our server's word, but that of a proxy before it.
        partSize = Math.max(SMALLEST_PART, Math.min(partSize, sentSize / 2));
      } else if (url !== undefined && (error.status === 404 || error.code === 'TOO_MANY_PARTS')) {
        // Begun anew; of one that broke off too often the server still holds the beginning.
        if (error.status !== 404) void abandon(url).catch(() => undefined);
        onUrl(undefined);
      } else {
        if (!passes(error) || tries >= MOST_TRIES) throw error;
        // A file that is gone from the disk looks like a network that is.
        if (error.status === 0 && !(await isReadable(file))) throw error;
        // As long as the machine knows of no network, no try counts.
        if (navigator.onLine) tries += 1;
        piecewise.onLost();
        await wait(pauseAfter(navigator.onLine ? tries : MOST_TRIES), signal);
      }
    }
  }
}

/** Forgets on the server what came of an upload. One that is lost to be told of it expires there by itself. */
export const abandon = (url: string): Promise<void> =>
  request<void>(`uploads/${idIn(url)}`, { method: 'delete', headers: { 'Tus-Resumable': '1.0.0' } });
