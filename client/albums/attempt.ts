import { ApiError } from '../api/api-error.ts';
import { albums as texts } from '../text/words.ts';
import { showError } from '../ui/toast.ts';

/** Whether a retry may succeed. */
const mayPass = ({ status }: ApiError): boolean => status === 0 || status === 429 || status >= 500;

/** Runs a call and shows an error toast if it fails. @returns whether it succeeded */
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
