import { ApiError } from '../api/api-error.ts';
import { texts } from '../text/albums.ts';
import { showError } from '../ui/toast.tsx';

/** Whether the same may well be done in a moment. */
const mayPass = ({ status }: ApiError): boolean => status === 0 || status === 429 || status >= 500;

/** Does something on the server; a refusal is told, and nothing comes of it. @returns whether it was done */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    showError(mayPass(error) ? texts.failedForNow : texts.failed, error.message);
    return false;
  }
}
