import type { Image } from '../../../server/contract.ts';
import { preview, selection, gallery as texts } from '../../text/words.ts';
import { confirm } from '../../ui/confirm.ts';
import { showError, showSuccess } from '../../ui/toast.ts';
import { deleteAll, type Outcome } from './bulk.ts';

/** Asks once, deletes, and shows the result. Calls `onSure` when the user confirms. @returns undefined if the user cancels */
export async function deleteAsked(images: readonly Image[], onSure: () => void): Promise<Outcome | undefined> {
  const [first] = images;
  if (first === undefined) return undefined;
  const { title, text, yes, no } = preview.confirm;
  const sure = await confirm({
    title,
    text: images.length === 1 ? text : selection.confirm(images.length),
    confirm: yes,
    cancel: no,
    image: first.hidden ? undefined : { url: first.thumbnail_url, alt: first.filename },
  });
  if (!sure) return undefined;
  onSure();
  const outcome = await deleteAll(images);
  const { gone, problems } = outcome;
  const { deleted, someLeft } = selection;
  if (problems.size > 0) showError(texts.toast.deleteFailed, someLeft(problems.size, images.length));
  else if (gone.size > 0) showSuccess(gone.size === 1 ? preview.deleted : deleted(gone.size));
  return outcome;
}
