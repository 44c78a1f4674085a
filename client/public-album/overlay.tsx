/** The overlay of an album's public page. */
import { StrictMode, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Preview } from '../image/preview/preview.tsx';
import type { PreviewParts } from '../image/preview/preview-parts.ts';
import type { AdjacentPages } from '../image/preview/steps/use-adjacent-pages.ts';
import { type PageInUrl, returningOn, usePreview } from '../image/use-preview.ts';
import { useReturning } from '../image/wall/focus-picture.ts';
import type { KeptPage } from '../image/wall/kept-page.ts';
import { around } from '../image/wall/neighbours.ts';
import { loadLanguage, withWords } from '../text/language.ts';
import { useToasts } from '../ui/toasts/toast.ts';
import { idOf, pageOnScreen } from './page-on-screen.ts';
import { Slideshow } from './slideshow.tsx';
import { partsFor } from './visitor-parts.tsx';

/** How long the slideshow shows a picture. */
const SHOWN_MS = 5000;

const urlOf = (page: number): string => location.pathname + (page === 1 ? '' : `?page=${page}`);

/** Crossing to another page of the album is a navigation, which continues at its nearer end (album.ts). */
function useCrossing({ page, totalPages }: KeptPage, plays: boolean): AdjacentPages {
  const [busy, setBusy] = useState(false);
  return {
    before: undefined,
    after: undefined,
    hasBefore: page > 1,
    hasAfter: page < totalPages,
    busy,
    cross(by) {
      if (busy) return;
      setBusy(true);
      location.replace(`${urlOf(page + by)}${by < 0 ? '#last' : plays ? '#play' : '#first'}`);
    },
  };
}

interface OverlayProps {
  parts: PreviewParts;
  kept: KeptPage;
  url: PageInUrl;
  onReady: (open: (id: string, plays: boolean) => void) => void;
}

function Overlay({ parts, kept, url, onReady }: OverlayProps) {
  const preview = usePreview(url);
  const [playing, setPlaying] = useState(history.state?.plays === true);
  const plays = playing && preview.id !== null;
  const adjacent = useCrossing(kept, plays);
  const toasts = useToasts();
  const ready = useEffectEvent(() =>
    onReady((id, wanted) => {
      setPlaying(wanted);
      preview.open(id);
    }),
  );
  useEffect(() => ready(), []);
  const advance = useEffectEvent(() => {
    const { next } = around(kept.images, preview.id ?? '');
    if (next) preview.show(next.id);
    else if (adjacent.hasAfter) adjacent.cross(1);
    else setPlaying(false);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each picture starts its own time
  useEffect(() => {
    if (!plays) return;
    const timer = setTimeout(() => advance(), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [plays, preview.id]);
  const slideshow = useMemo(() => ({ plays, toggle: () => setPlaying(!plays) }), [plays]);
  useReturning(returningOn(preview, kept.page), preview.returned);
  return (
    <Slideshow value={slideshow}>
      {preview.id === null ? null : (
        <Preview
          parts={parts}
          page={kept.page}
          kept={kept}
          id={preview.id}
          adjacent={adjacent}
          deletion={undefined}
          onShow={preview.show}
          onClose={preview.close}
        />
      )}
      {toasts ? <toasts.Toasts /> : null}
    </Slideshow>
  );
}

/**
 * @param onFailed an error ended the overlay
 * @returns a function that opens the overlay on the picture of a link, as a slideshow or not
 */
export async function mountOverlay(
  wall: HTMLElement,
  onFailed: () => void,
): Promise<(link: HTMLAnchorElement, plays: boolean) => void> {
  // Together: the later words cannot be set before the first ones.
  await withWords(['start', 'gallery', 'later'], loadLanguage());
  const kept = pageOnScreen(wall);
  const url: PageInUrl = { read: () => kept.page, format: urlOf, replace: () => undefined };
  const parts = partsFor({ canSave: !('noSaving' in wall.dataset), isProtected: 'protected' in wall.dataset });
  const place = document.body.appendChild(document.createElement('div'));
  const onUncaughtError = (error: unknown): void => {
    console.error(error);
    place.remove();
    onFailed();
  };
  return new Promise((resolve) => {
    createRoot(place, { onUncaughtError }).render(
      <StrictMode>
        <Overlay
          parts={parts}
          kept={kept}
          url={url}
          onReady={(open) => resolve((link, plays) => open(idOf(link), plays))}
        />
      </StrictMode>,
    );
  });
}
