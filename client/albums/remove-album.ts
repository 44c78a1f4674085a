import { deleteAlbum } from '../api/albums.ts';
import { albums as texts } from '../text/words.ts';
import { confirm } from '../ui/dialogs/confirm.ts';
import { showSuccess } from '../ui/toasts/toast.ts';
import { albumsChanged } from './album-pages.ts';
import { attempt } from './attempt.ts';

/** Deletes an album after a question. @param onDeleted called before anything is loaded again */
export async function removeAlbum(id: string, onDeleted = (): void => {}): Promise<void> {
  const { title, text, yes } = texts.confirmDelete;
  if (!(await confirm({ title, text, confirm: yes, cancel: texts.cancel }, texts.failedForNow))) return;
  if (await attempt(() => deleteAlbum(id))) {
    showSuccess(texts.deleted);
    onDeleted();
  }
  albumsChanged();
}
