import { unreachable } from './api-error.ts';
import { apiUrl, authorization, reportStatus, storedToken } from './client.ts';

/**
 * Posts a form by XMLHttpRequest: the only way to learn how many bytes have left that every browser has (a fetch tells only
 * where it can stream its request). Carries the same login as every other call.
 * @returns the answer's status, whatever it is, its body as text and its Retry-After
 * @throws ApiError with status 0 where no answer came; AbortError when `signal` says so
 */
export function postForm(
  path: string,
  form: FormData,
  headers: Readonly<Record<string, string>>,
  onSent: (sent: number, total: number) => void,
  signal: AbortSignal,
): Promise<{ status: number; body: string; retryAfter: string | null }> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const token = storedToken();
    const http = new XMLHttpRequest();
    const abort = (): void => http.abort();
    const settle = (finish: () => void) => (): void => {
      signal.removeEventListener('abort', abort);
      finish();
    };
    http.open('POST', apiUrl(path));
    http.withCredentials = true;
    for (const [name, value] of Object.entries({ ...headers, ...authorization(token) }))
      http.setRequestHeader(name, value);
    http.upload.onprogress = ({ loaded, total }) => onSent(loaded, total);
    http.onload = settle(() => {
      reportStatus(http.status, token);
      resolve({ status: http.status, body: http.responseText, retryAfter: http.getResponseHeader('Retry-After') });
    });
    http.onerror = settle(() => reject(unreachable()));
    http.onabort = settle(() => reject(signal.reason ?? new DOMException('Aborted', 'AbortError')));
    signal.addEventListener('abort', abort);
    http.send(form);
  });
}
