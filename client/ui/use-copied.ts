import { useCallback, useEffect, useRef, useState } from 'react';
import { copyText } from '../lib/copy-text.ts';

const COPIED_MS = 2000;

export type CopyState = 'idle' | 'copied' | 'refused';

/**
 * Copies a text; the state is `copied` for 2000 ms, or `refused` if the browser blocks the clipboard.
 * @param onRefused called instead of the state `refused`
 */
export function useCopied(
  onRefused?: () => void,
): readonly [CopyState, (text: string, from: HTMLElement) => void, () => void] {
  const [state, setState] = useState<CopyState>('idle');
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = (text: string, from: HTMLElement): void => {
    void copyText(text, from.closest('dialog') ?? document.body).then((done) => {
      clearTimeout(timer.current);
      if (!done && onRefused) return onRefused();
      setState(done ? 'copied' : 'refused');
      if (done) timer.current = setTimeout(() => setState('idle'), COPIED_MS);
    });
  };
  return [state, copy, useCallback(() => setState('idle'), [])];
}
