import { useState } from 'react';
import { copyText } from '../../lib/copy-text.ts';
import { useShortly } from '../../lib/hooks/use-shortly.ts';

/** How long a button reads `Copied!`, in ms. */
export const COPIED_MS = 2000;

export type CopyState = 'idle' | 'copied' | 'refused';

/**
 * Copies a text; the state is `copied` for 2000 ms, or `refused` if the browser blocks the clipboard.
 * @param onRefused called instead of the state `refused`
 */
export function useCopied(
  onRefused?: () => void,
): readonly [CopyState, (text: string, from: HTMLElement) => void, () => void] {
  const [isRefused, setRefused] = useState(false);
  const [isCopied, showCopied] = useShortly(COPIED_MS);
  const copy = (text: string, from: HTMLElement): void => {
    void copyText(text, from.closest('dialog') ?? document.body).then((isDone) => {
      setRefused(!isDone && onRefused === undefined);
      if (isDone) showCopied();
      else onRefused?.();
    });
  };
  return [isRefused ? 'refused' : isCopied ? 'copied' : 'idle', copy, () => setRefused(false)];
}
