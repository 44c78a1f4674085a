import type { Image } from '../../server/contract.ts';
import { pictureId } from '../image/focus-picture.ts';
import type { KeptPage } from '../image/kept-page.ts';

/** An image as the server writes it into the page (server/albums/page-pictures.ts): its paths have no origin. */
type Written = Omit<Image, 'id' | 'camera'>;

const absolute = (path: string): string => new URL(path, location.href).href;

/** The id of a link's image on this page, of which its DOM id consists (client/image/focus-picture.ts). */
export const idOf = ({ id }: HTMLAnchorElement): string => id.replace(pictureId(''), '');

function imageOf(link: HTMLAnchorElement): Image {
  const written: Written = JSON.parse(link.dataset.image ?? '');
  return {
    ...written,
    id: idOf(link),
    camera: null,
    url: absolute(written.url),
    thumbnail_url: absolute(written.thumbnail_url),
    thumbnail_avif_url: written.thumbnail_avif_url && absolute(written.thumbnail_avif_url),
    screen_url: absolute(written.screen_url),
    screen_avif_url: written.screen_avif_url && absolute(written.screen_avif_url),
  };
}

/** The page of the album that the server rendered. */
export function pageOnScreen(wall: HTMLElement): KeptPage {
  const links = [...wall.querySelectorAll<HTMLAnchorElement>('a[data-image]')];
  const { page, pages, pageSize, total } = wall.dataset;
  return {
    images: links.map(imageOf),
    page: Number(page),
    totalPages: Number(pages),
    pageSize: Number(pageSize),
    total: Number(total),
  };
}
