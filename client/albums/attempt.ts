import { ApiError, reasonOf } from '../api/api-error.ts';
import { albums as texts } from '../text/words.ts';
import { showError } from '../ui/toasts/toast.ts';

/** Whether a retry may succeed. */
const mayPass = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);

/** Runs a call and shows an error toast if it fails. @returns whether it succeeded */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    showError(mayPass(error) ? texts.failedForNow : texts.failed, reasonOf(error));
    return false;
  }
}
