export interface Question {
  title: string;
  text: string;
  confirm: string;
  cancel: string;
  /** A picture in place of an icon. */
  image?: { url: string; alt: string };
  /** The open modal <dialog>, if there is one: outside of it the question could be seen but not answered. */
  target?: HTMLElement;
}

/**
 * Asks before something dangerous; sweetalert2 is loaded by the first question.
 * @returns true for confirm; false for cancel, Esc and a click outside
 */
export async function confirm(question: Question): Promise<boolean> {
  const { ask } = await import('./ask.ts');
  return ask(question);
}
