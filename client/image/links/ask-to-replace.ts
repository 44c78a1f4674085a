/** Replaces the links of selected images after a question. */
import { reasonOf } from '../../api/api-error.ts';
import { links as texts } from '../../text/words.ts';
import { confirm } from '../../ui/dialogs/confirm.ts';
import { showError, showSuccess } from '../../ui/toasts/toast.ts';
import { replaceLinks } from './replace-links.ts';

/** Shows how it went. @returns whether all links were replaced */
export async function replaceAndReport(ids: readonly string[]): Promise<boolean> {
  const { failed, done, someLeft, missing } = texts.replace;
  const { images, error } = await replaceLinks(ids);
  const left = ids.length - images.length;
  if (left === 0) showSuccess(done(images.length));
  else if (ids.length === 1) showError(failed, reasonOf(error) ?? missing);
  else showError(someLeft(left, ids.length), error === undefined ? missing : reasonOf(error));
  return left === 0;
}

export async function askToReplace(ids: readonly string[]): Promise<void> {
  const { title, confirmText, yes, failed } = texts.replace;
  const question = { title: title(ids.length), text: confirmText(ids.length), confirm: yes, cancel: texts.cancel };
  if (await confirm(question, failed)) await replaceAndReport(ids);
}
