/** A picture's sources; the browser loads AVIF if it supports it. */
export interface Addresses {
  readonly src: string;
  readonly avif?: string | null | undefined;
}

/** Preloads pictures in the format in which they will be shown. @returns a function that cancels unfinished loads */
export function preload(all: readonly Addresses[]): () => void {
  const pictures = all.map(({ src, avif }) => {
    const image = new Image();
    image.fetchPriority = 'low';
    if (avif) {
      const picture = document.createElement('picture');
      const source = document.createElement('source');
      source.type = 'image/avif';
      source.srcset = avif;
      picture.append(source, image);
    }
    image.src = src;
    return image;
  });
  return () => {
    for (const image of pictures) {
      if (image.complete) continue;
      // While a source is present, changing `src` has no effect.
      image.previousElementSibling?.remove();
      image.src = '';
    }
  };
}
