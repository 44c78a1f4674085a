import { useCallback, useEffect, useMemo, useState } from 'react';

interface PreviewEntry {
  preview?: string;
}

const shown = (): string | null => (history.state as PreviewEntry | null)?.preview ?? null;

export interface PreviewState {
  /** id of the image shown large; null: none */
  readonly id: string | null;
  readonly open: (id: string) => void;
  /** Shows another image in the same overlay. */
  readonly show: (id: string) => void;
  /** Resolves when the overlay's history entry is left. */
  readonly close: () => Promise<void>;
}

/** The overlay as one entry of the history, so that Back closes it and a reload keeps it. The address stays as it is. */
export function usePreview(): PreviewState {
  const [id, setId] = useState(shown);
  useEffect(() => {
    const follow = (): void => setId(shown());
    window.addEventListener('popstate', follow);
    return () => window.removeEventListener('popstate', follow);
  }, []);
  const open = useCallback((next: string) => {
    history.pushState({ ...history.state, preview: next }, '');
    setId(next);
  }, []);
  const show = useCallback((next: string) => {
    history.replaceState({ ...history.state, preview: next }, '');
    setId(next);
  }, []);
  const close = useCallback(async () => {
    if (shown() === null) {
      setId(null);
      return;
    }
    const left = new Promise<void>((resolve) => {
      window.addEventListener('popstate', () => resolve(), { once: true });
    });
    history.back();
    await left;
  }, []);
  return useMemo(() => ({ id, open, show, close }), [id, open, show, close]);
}
