import { albums as texts } from '../text/words.ts';
import { confirm } from '../ui/confirm.ts';

export function confirmDeletion(): Promise<boolean> {
  const { title, text, yes } = texts.confirmDelete;
  return confirm({ title, text, confirm: yes, cancel: texts.cancel });
}
