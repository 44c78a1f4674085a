import type { Image, PublicImage } from '../../server/contract.ts';
import { pictureId } from '../image/wall/focus-picture.ts';
import type { KeptPage } from '../image/wall/kept-page.ts';

/** The id of a link's image on this page, of which its DOM id consists. */
export const idOf = ({ id }: HTMLAnchorElement): string => id.replace(pictureId(''), '');

const absolute = (path: string): string => new URL(path, location.href).href;

/** Reads the image of a link, as the server wrote it (server/albums/page-pictures.ts). */
function imageOf(link: HTMLAnchorElement): Image {
  const written: PublicImage = JSON.parse(link.dataset.overlay ?? '');
  return {
    ...written,
    id: idOf(link),
    // Visitors do not learn these.
    uploaded_at: '',
    expires_at: null,
    camera: null,
    location: 'none',
    url: absolute(written.url),
    thumbnail_url: absolute(written.thumbnail_url),
    thumbnail_avif_url: written.thumbnail_avif_url && absolute(written.thumbnail_avif_url),
    screen_url: absolute(written.screen_url),
    screen_avif_url: written.screen_avif_url && absolute(written.screen_avif_url),
  };
}

/** The page of the album that the server rendered. */
export function pageOnScreen(wall: HTMLElement): KeptPage {
  const links = [...wall.querySelectorAll<HTMLAnchorElement>('a[data-overlay]')];
  const { page, pages, pageSize, total } = wall.dataset;
  return {
    images: links.map(imageOf),
    page: Number(page),
    totalPages: Number(pages),
    pageSize: Number(pageSize),
    deletedBefore: 0,
    deletedHere: 0,
    // NaN where the server does not say: some images are hidden, so positions would reveal them.
    total: Number(total),
  };
}
