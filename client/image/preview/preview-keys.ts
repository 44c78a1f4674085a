/** A command of the overlay's keyboard shortcuts. */
export type Command =
  | 'previous'
  | 'next'
  | 'first'
  | 'last'
  | 'zoomIn'
  | 'zoomOut'
  | 'fit'
  | 'details'
  | 'copy'
  | 'download'
  | 'remove';

const COMMANDS: Readonly<Record<string, Command>> = {
  ArrowLeft: 'previous',
  ArrowRight: 'next',
  Home: 'first',
  End: 'last',
  '+': 'zoomIn',
  '=': 'zoomIn',
  '-': 'zoomOut',
  '0': 'fit',
  i: 'details',
  c: 'copy',
  d: 'download',
  Delete: 'remove',
};

const MIRRORED: Readonly<Record<string, string>> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' };

interface Pressed {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** @param isMirrored in right-to-left text, where the next image is on the left */
export function commandOf({ key, shiftKey, ctrlKey, metaKey, altKey }: Pressed, isMirrored: boolean) {
  // Many keyboards need Shift to type a plus.
  if (ctrlKey || metaKey || altKey || (shiftKey && key !== '+')) return undefined;
  const meant = isMirrored ? (MIRRORED[key] ?? key) : key;
  return COMMANDS[meant.length === 1 ? meant.toLowerCase() : meant];
}

/** Keys that move a zoomed picture. */
export const isPan = (key: string): boolean => /^Arrow(?:Left|Right|Up|Down)$/.test(key);
