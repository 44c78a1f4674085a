import { useEffect, useState, useSyncExternalStore } from 'react';

const hosts: HTMLElement[] = [];
const listeners = new Set<() => void>();

function changed() {
  for (const listener of listeners) listener();
}

/**
 * Put one inside every modal <dialog>: an open dialog covers the page's toasts and makes them inert, so they move in here
 * until it closes.
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

/** The element for toasts: the host of the innermost open dialog, else the body. */
export function useToastHost(): HTMLElement {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => hosts.at(-1) ?? document.body,
  );
}
