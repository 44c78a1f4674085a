import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { type Address, formatAddress } from '../gallery/address.ts';
import { afterPaint } from '../lib/after-paint.ts';

interface PreviewEntry {
  preview?: string;
}

const shown = (): string | null => (history.state as PreviewEntry | null)?.preview ?? null;

/** An image shown in the overlay, and the query string of its gallery page. */
export interface Shown {
  readonly id: string;
  readonly query: string;
}

export interface PreviewState {
  /** id of the image in the overlay; null if closed */
  readonly id: string | null;
  /** the image shown now or last */
  readonly last: { readonly current: Shown | undefined };
  readonly open: (id: string) => void;
  /** Shows another image in the same overlay; `address`: its page, if that is another one. */
  readonly show: (id: string, address?: Address) => void;
  /** Resolves when the overlay's history entry has been left. */
  readonly close: () => Promise<void>;
}

/** Keeps the overlay as one history entry, so that Back closes it and a reload keeps it open. */
export function usePreview(): PreviewState {
  const [id, setId] = useState(shown);
  const last = useRef<Shown>(id === null ? undefined : { id, query: location.search });
  useEffect(() => {
    const follow = (): void => setId(shown());
    window.addEventListener('popstate', follow);
    return () => window.removeEventListener('popstate', follow);
  }, []);
  const note = useCallback((next: string) => {
    last.current = { id: next, query: location.search };
    setId(next);
  }, []);
  const show = useCallback(
    (next: string, address?: Address) => {
      const url = address === undefined ? '' : `${location.pathname}${formatAddress(address)}`;
      history.replaceState({ ...history.state, preview: next }, '', url);
      note(next);
    },
    [note],
  );
  const open = useCallback(
    (next: string) => {
      // A second click, before the overlay has opened.
      if (shown() !== null) return show(next);
      history.pushState({ ...history.state, preview: next }, '');
      // Opening makes every other element inert, which restyles all of them; paint the click's feedback first.
      afterPaint(() => {
        if (shown() === next) note(next);
      });
    },
    [note, show],
  );
  const leaving = useRef<Promise<void>>(undefined);
  const close = useCallback(async () => {
    if (shown() === null) return setId(null);
    leaving.current ??= new Promise((resolve) => {
      window.addEventListener('popstate', () => resolve(), { once: true });
      history.back();
    });
    await leaving.current;
    leaving.current = undefined;
  }, []);
  return useMemo(() => ({ id, last, open, show, close }), [id, open, show, close]);
}
