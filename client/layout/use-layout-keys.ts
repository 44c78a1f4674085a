import { useEffect, useEffectEvent } from 'react';
import { isCovered, isField } from '../lib/keyboard.ts';
import { singleKeys } from '../session/single-keys.ts';

interface Commands {
  /** `?`, also while an image is open. */
  showShortcuts: () => void;
  /** `[` */
  toggleSidebar: (() => void) | undefined;
}

/** The shortcuts of every page behind the login. */
export function useLayoutKeys({ showShortcuts, toggleSidebar }: Commands): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    if (event.defaultPrevented || ctrlKey || metaKey || altKey || isField(target) || singleKeys.ignores(event)) return;
    const command = key === '?' ? showShortcuts : key === '[' && !isCovered() ? toggleSidebar : undefined;
    if (command === undefined) return;
    event.preventDefault();
    command();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => press(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
}
