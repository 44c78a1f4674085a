/** A picture's addresses as a `<picture>` takes them; the first that the browser knows is the one. */
export interface Addresses {
  readonly src: string;
  readonly avif?: string | null | undefined;
}

/** Fetches pictures that may be wanted next, in the form in which they would be shown. Returns what breaks off those under way. */
export function warm(all: readonly Addresses[]): () => void {
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
      // With a source beside it, another `src` would change nothing.
      image.previousElementSibling?.remove();
      image.src = '';
    }
  };
}
