import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { afterPaint } from '../lib/after-paint.ts';

interface PreviewEntry {
  preview?: string;
  /** The page was opened with the overlay: closing it stays in this entry. */
  isAlone?: true;
}

const entry = (): PreviewEntry | null => history.state;

/** The id of the image that the history entry shows in the overlay. */
export const shownId = (): string | null => entry()?.preview ?? null;

/** An image, and the page of the list that it is on. */
export interface Shown {
  readonly id: string;
  readonly page: number;
}

/** The list's page in the URL. */
export interface PageInUrl {
  readonly read: () => number;
  /** The URL of a page. */
  readonly format: (page: number) => string;
  /** Replaces the page in the URL. */
  readonly replace: (page: number) => void;
}

export interface PreviewState {
  /** id of the image in the overlay; null if closed */
  readonly id: string | null;
  /** The image that was shown when the overlay closed: its picture gets the focus. */
  readonly returning: Shown | null;
  readonly returned: () => void;
  readonly open: (id: string) => void;
  /** Shows another image in the same overlay; `page`: its page, if that is another one. */
  readonly show: (id: string, page?: number) => void;
  /** Resolves when the overlay's history entry has been left. */
  readonly close: () => Promise<void>;
}

/** The image that the closed overlay showed last, if it is on this page. */
export const returningOn = ({ returning }: PreviewState, page: number): string | null =>
  returning?.page === page ? returning.id : null;

/** Keeps the overlay as one history entry, so that Back closes it and a reload keeps it open. */
export function usePreview({ read, format, replace }: PageInUrl): PreviewState {
  const [shown, setShown] = useState<Shown | null>(() => {
    const id = shownId();
    return id === null ? null : { id, page: read() };
  });
  const [returning, setReturning] = useState<Shown | null>(null);
  const leaving = useRef<Promise<void>>(undefined);

  const follow = useEffectEvent(() => {
    const id = shownId();
    setShown(id === null ? null : { id, page: read() });
    if (id !== null) setReturning(null);
    if (id !== null || shown === null) return;
    history.scrollRestoration = 'auto';
    // The URL is that of the page on which the overlay was opened.
    if (shown.page !== read()) replace(shown.page);
    setReturning(shown);
  });
  useEffect(() => {
    const listener = (): void => follow();
    window.addEventListener('popstate', listener);
    return () => window.removeEventListener('popstate', listener);
  }, []);

  const note = useCallback((id: string) => setShown({ id, page: read() }), [read]);
  const show = useCallback(
    (id: string, page?: number) => {
      history.replaceState({ ...history.state, preview: id }, '', page === undefined ? '' : format(page));
      note(id);
    },
    [note, format],
  );
  const open = useCallback(
    (id: string) => {
      // A second click, before the overlay has opened.
      if (shownId() !== null) return show(id);
      // Another page of the list may be shown after closing: its scroll position is not this one's.
      history.scrollRestoration = 'manual';
      history.pushState({ ...history.state, preview: id }, '');
      setReturning(null);
      // Opening makes every other element inert, which restyles all of them; paint the click's feedback first.
      afterPaint(() => {
        if (shownId() === id) note(id);
      });
    },
    [note, show],
  );
  const close = useCallback(async () => {
    if (shownId() === null) return setShown(null);
    if (entry()?.isAlone) {
      history.replaceState(null, '');
      return follow();
    }
    leaving.current ??= new Promise((resolve) => {
      window.addEventListener('popstate', () => resolve(), { once: true });
      history.back();
    });
    await leaving.current;
    leaving.current = undefined;
  }, []);
  const returned = useCallback(() => setReturning(null), []);
  const id = shown?.id ?? null;
  return useMemo(() => ({ id, returning, returned, open, show, close }), [id, returning, returned, open, show, close]);
}
