import { unreachable } from './api-error.ts';
import { apiUrl, authorization, reportStatus, storedToken } from './client.ts';

/**
 * Posts a form with the session's authorization. XMLHttpRequest is the only upload progress that every browser supports;
 * fetch needs request streaming.
 * @returns the answer's status, its body as text, and its Retry-After header
 * @throws ApiError with status 0 if no answer came; AbortError if `signal` aborts
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
