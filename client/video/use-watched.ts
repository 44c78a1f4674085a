import { useState } from 'react';
import { video as texts } from '../text/words.ts';
import { offerUndo } from '../ui/toasts/undoing.ts';
import { videoSource } from './video-link.ts';
import { linksFrom, restored, withLink } from './watched.ts';

/** The account's stored links. */
export interface KeptLinks {
  get(): unknown;
  set(links: readonly string[]): void;
}

const sourceOf = (link: string) => videoSource(link, window.location);

/** The account's recent links. */
export function useWatched(kept: KeptLinks) {
  const [links, setLinks] = useState(() => linksFrom(kept.get()));
  // Reads again each time: another tab may have written meanwhile.
  const change = (next: (links: readonly string[]) => readonly string[]) => {
    const changed = next(linksFrom(kept.get() ?? links));
    kept.set(changed);
    setLinks(changed);
  };
  /** Removes links, with an offer to undo it. */
  const keepOnly = (stays: (link: string) => boolean) => {
    const left = links.filter(stays);
    change((now) => now.filter(stays));
    offerUndo(
      () => texts.watched.removed(links.length - left.length),
      () => change((now) => restored(now, links)),
    );
  };
  return {
    links,
    add: (link: string, grownFrom?: string) => change((now) => withLink(now, link, sourceOf, grownFrom)),
    remove: (link: string) => keepOnly((one) => one !== link),
    clear: () => keepOnly(() => false),
  };
}

export type Watched = ReturnType<typeof useWatched>;
