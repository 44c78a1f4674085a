/** What shortcuts ask about a key press. */

/** A field that takes text or keys. A check box is none: its keys are Space and Tab. */
export const isField = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.matches('textarea, select, [contenteditable], input:not([type="checkbox"], [type="radio"])');

/** The polyfill of older browsers (main.tsx) sets a class. */
const openPopover = globalThis.CSS?.supports('selector(:popover-open)') ? ':popover-open' : '.\\:popover-open';

/** Whether a dialog, a menu or a question is open and has the keyboard. */
export const isCovered = (): boolean =>
  document.querySelector(`dialog[open], [aria-modal="true"], ${openPopover}`) !== null;

interface Pressed {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** Whether a press is one character alone: a letter, a digit or a sign, which speech input types too (WCAG 2.1.4). */
export const isSingleKey = ({ key, ctrlKey, metaKey, altKey }: Pressed): boolean =>
  key.length === 1 && key !== ' ' && !ctrlKey && !metaKey && !altKey;
