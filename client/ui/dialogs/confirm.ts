import { showError } from '../toasts/toast.ts';

export interface Question {
  title: string;
  text: string;
  confirm: string;
  cancel: string;
  /** A picture instead of an icon. */
  image?: { url: string; alt: string };
  /** The open modal <dialog>, if any: outside of it the question would be inert. */
  target?: HTMLElement;
}

/**
 * Asks before a dangerous action; loads sweetalert2 on the first call.
 * @param failed the error toast if it does not load
 * @returns true for confirm; false for cancel, Esc and a click outside
 */
export async function confirm(question: Question, failed: string): Promise<boolean> {
  try {
    const { ask } = await import('./ask.ts');
    return await ask(question);
  } catch {
    showError(failed);
    return false;
  }
}
