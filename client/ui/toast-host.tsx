import { useEffect, useState, useSyncExternalStore } from 'react';

const hosts: HTMLElement[] = [];
const listeners = new Set<() => void>();

function changed() {
  for (const listener of listeners) listener();
}

/**
 * Put one inside every modal <dialog>: while it is open, the page's own toasts are covered and out of the
 * accessibility tree, so they move in here, and back when it closes.
 */
export function ToastHost() {
  const [element, setElement] = useState<HTMLElement | null>(null);
  useEffect(() => {
    if (!element) return;
    hosts.push(element);
    changed();
    return () => {
      hosts.splice(hosts.indexOf(element), 1);
      changed();
    };
  }, [element]);
  return <div ref={setElement} />;
}

/** Where toasts are shown now: the innermost open dialog's host, else the body. */
export function useToastHost(): HTMLElement {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => hosts.at(-1) ?? document.body,
  );
}
