import { SelectionBar, type SelectionBarProps } from '../gallery/select/selection-bar.tsx';
import { lazyPart } from '../lib/lazy-part.ts';

const loadAddToAlbum = async () => ({ default: (await import('../albums/add-to-album.tsx')).AddToAlbum });

const AddToAlbum = lazyPart(loadAddToAlbum);
// Prefetched with the bar, so that it appears complete. A failure is reported when it is needed.
loadAddToAlbum().catch(() => undefined);

/** The gallery's selection bar with the tool for albums. Load it with the later words. */
export default function GalleryBar(props: Omit<SelectionBarProps, 'further'>) {
  return <SelectionBar {...props} further={AddToAlbum} />;
}
