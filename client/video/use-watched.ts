import { useState } from 'react';
import { videoSource } from './video-link.ts';
import { linksFrom, restored, withLink } from './watched.ts';

/** The account's stored links. */
export interface KeptLinks {
  get(): unknown;
  set(links: readonly string[]): void;
}

const sourceOf = (link: string) => videoSource(link, window.location);

/** The account's recent links. `before`: the links before the last removal, while it can be undone. */
export function useWatched(kept: KeptLinks) {
  const [links, setLinks] = useState(() => linksFrom(kept.get()));
  const [before, setBefore] = useState<readonly string[] | null>(null);
  // Reads again each time: another tab may have written meanwhile.
  const change = (next: (links: readonly string[]) => readonly string[], undo: readonly string[] | null) => {
    const changed = next(linksFrom(kept.get() ?? links));
    kept.set(changed);
    setLinks(changed);
    setBefore(undo);
  };
  return {
    links,
    before,
    add: (link: string, grownFrom?: string) => change((now) => withLink(now, link, sourceOf, grownFrom), null),
    remove: (link: string) => change((now) => now.filter((one) => one !== link), links),
    clear: () => change(() => [], links),
    undo: () => change((now) => restored(now, before ?? []), null),
  };
}

export type Watched = ReturnType<typeof useWatched>;
