import { ApiError } from '../api/api-error.ts';
import { texts } from '../text/albums.ts';
import { showError } from '../ui/toast.tsx';

/** Does something on the server; a refusal is told, and nothing comes of it. @returns whether it was done */
export async function attempt(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    showError(texts.failed, error.message);
    return false;
  }
}
