import { lazy } from 'react';
import { SelectionBar, type SelectionBarProps } from '../gallery/select/selection-bar.tsx';

const loadAddToAlbum = async () => ({ default: (await import('../albums/add-to-album.tsx')).AddToAlbum });

const AddToAlbum = lazy(loadAddToAlbum);
// Fetched with the bar, which is fetched ahead, so that it comes whole. A failure shows when it is really wanted.
loadAddToAlbum().catch(() => undefined);

/** The bar of the gallery's selection, with what albums have for it. To be loaded with the later words. */
export default function GalleryBar(props: Omit<SelectionBarProps, 'further'>) {
  return <SelectionBar {...props} further={AddToAlbum} />;
}
