import { type RefObject, useEffect, useState } from 'react';

export type Thumbnail = { readonly state: 'making' | 'none' } | { readonly state: 'ready'; readonly url: string };

async function make(file: File, signal: AbortSignal): Promise<string | null> {
  const { makeThumbnail } = await import('./thumbnails.ts');
  return makeThumbnail(file, signal);
}

/** The thumbnail of a file, made when its tile comes near the window and revoked when the tile unmounts. */
export function useThumbnail(file: File, tile: RefObject<Element | null>): Thumbnail {
  const [thumbnail, setThumbnail] = useState<Thumbnail>({ state: 'making' });
  // Only the browser knows when a tile comes near the window; its object URL must be revoked.
  useEffect(() => {
    const element = tile.current;
    if (element === null) return;
    const gone = new AbortController();
    let url: string | null = null;
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return;
        observer.disconnect();
        make(file, gone.signal).then(
          (made) => {
            if (gone.signal.aborted) {
              if (made !== null) URL.revokeObjectURL(made);
              return;
            }
            url = made;
            setThumbnail(made === null ? { state: 'none' } : { state: 'ready', url: made });
          },
          () => {
            if (!gone.signal.aborted) setThumbnail({ state: 'none' });
          },
        );
      },
      { rootMargin: '400px' },
    );
    observer.observe(element);
    return () => {
      gone.abort();
      observer.disconnect();
      if (url !== null) URL.revokeObjectURL(url);
    };
  }, [file, tile]);
  return thumbnail;
}
