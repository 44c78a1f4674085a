import { reasonOf } from '../api/api-error.ts';
import { administration as texts } from '../text/words.ts';
import { confirm, type Question } from '../ui/dialogs/confirm.ts';
import { showError, showSuccess } from '../ui/toasts/toast.ts';
import { reload } from './queries.ts';

/**
 * Runs a change, says what it did or why it failed, and reads the page again.
 * @param failed the title of a failure @returns whether it worked
 */
export async function run(change: () => Promise<string>, failed = texts.failed): Promise<boolean> {
  try {
    showSuccess(await change());
    reload();
    return true;
  } catch (error) {
    showError(failed, reasonOf(error));
    return false;
  }
}

/** Asks before a change that cannot be taken back. */
export async function runAfter(question: Omit<Question, 'cancel'>, change: () => Promise<string>): Promise<void> {
  if (await confirm({ ...question, cancel: texts.cancel }, texts.failed)) await run(change);
}
