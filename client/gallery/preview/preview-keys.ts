/** What a key does in the overlay. */
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

/** @param isMirrored written from right to left, where the next one is at the left */
export function commandOf({ key, shiftKey, ctrlKey, metaKey, altKey }: Pressed, isMirrored: boolean) {
  // A plus is written with Shift on many keyboards.
  if (ctrlKey || metaKey || altKey || (shiftKey && key !== '+')) return undefined;
  const meant = isMirrored ? (MIRRORED[key] ?? key) : key;
  return COMMANDS[meant.length === 1 ? meant.toLowerCase() : meant];
}

/** Keys that move a zoomed picture. */
export const isPan = (key: string): boolean => /^Arrow(?:Left|Right|Up|Down)$/.test(key);
