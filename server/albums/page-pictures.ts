/** How the public page shows an image: its rendition, and the target of a click. Paths have no origin. */
import type { Image, PublicImage } from '../contract.ts';
import { type Html, html } from '../http/page/html.ts';

/** px on the longer side (server/images/rendition-names.ts). */
const THUMBNAIL = 480;
const SCREEN = 1600;

/** px of a row's height on a desktop (client/public-album/page.css). */
const ROW = 236;
/** Rows usually stretch their pictures by a fifth. */
const STRETCH = 1.2;

/** Aspect ratios are rounded to twentieths, so that the style sheet can list them; a picture loses under 3 %. */
function frameOf({ width, height }: Pick<Image, 'width' | 'height'>): number {
  const ratio = width > 0 && height > 0 ? width / height : 4 / 3;
  return Math.round(Math.min(2.2, Math.max(0.8, ratio)) * 20) / 20;
}

/** The size of a rendition. Drawings are enlarged. */
const scaled = ({ width, height, content_type }: Image, side: number) => {
  const fitting = side / Math.max(width, height);
  const scale = content_type === 'image/svg+xml' ? fitting : Math.min(1, fitting);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
};

const hasLarger = ({ url, thumbnail_url, screen_url }: Image) => screen_url !== url && screen_url !== thumbnail_url;

/** Types that every browser shows. */
const shownAsItIs = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/gif', 'image/avif', 'image/svg+xml']);

/** The original, if its link serves it and browsers show it. */
const targetOf = ({ url, screen_url, content_type, location }: Image) =>
  location !== 'withheld' && shownAsItIs.has(content_type) ? url : screen_url;

type Shown = { path: string; width: number; height: number; contentType: string };

/** A picture for link previews: in a widely supported format, and not ten thousand pixels wide. */
export function previewOf(image: Image): Shown {
  if (hasLarger(image)) return { path: image.screen_url, ...scaled(image, SCREEN), contentType: 'image/webp' };
  const { url, content_type, location, width, height } = image;
  if (location !== 'withheld' && /^image\/(?:jpeg|png|gif|webp)$/.test(content_type)) {
    return { path: url, width, height, contentType: content_type };
  }
  return { path: image.thumbnail_url, ...scaled(image, THUMBNAIL), contentType: 'image/webp' };
}

/** The same, and its thumbnail if that is smaller, for programs that limit the size. */
export function previewsOf(image: Image): Shown[] {
  const preview = previewOf(image);
  const thumbnail = { path: image.thumbnail_url, ...scaled(image, THUMBNAIL), contentType: 'image/webp' };
  return thumbnail.width < preview.width ? [preview, thumbnail] : [preview];
}

/** The last part of the image's link, which identifies it on the page. */
const nameInLink = ({ url }: Image) => url.slice(url.lastIndexOf('/') + 1);

/** What the overlay shows to visitors (client/public-album/page-on-screen.ts). */
function forVisitors(image: Image): PublicImage {
  const { filename, description, width, height, size, content_type, placeholder } = image;
  const { thumbnail_url, thumbnail_avif_url, screen_url, screen_avif_url } = image;
  const renditions = { thumbnail_url, thumbnail_avif_url, screen_url, screen_avif_url };
  // A withheld original would be refused.
  const url = image.location === 'withheld' ? screen_url : image.url;
  return { url, filename, description, width, height, size, content_type, placeholder, ...renditions };
}

/** @param eager whether it is on the first screen */
export function tile(image: Image, eager: boolean): Html {
  const { thumbnail_url, thumbnail_avif_url, screen_url, screen_avif_url, filename, description } = image;
  const caption =
    description === '' ? undefined : html`<p class="caption" dir="auto" aria-hidden="true">${description}</p>`;
  const frame = frameOf(image);
  const small = scaled(image, THUMBNAIL);
  const larger = hasLarger(image) ? scaled(image, SCREEN) : undefined;
  const both = (thumbnail: string, screen: string | null) =>
    larger && screen ? `${thumbnail} ${small.width}w, ${screen} ${larger.width}w` : `${thumbnail} ${small.width}w`;
  const sizes = `(max-width: 640px) 50vw, ${Math.round(frame * ROW * STRETCH)}px`;
  const avif =
    thumbnail_avif_url && (!larger || screen_avif_url)
      ? html`<source type="image/avif" srcset="${both(thumbnail_avif_url, screen_avif_url)}" sizes="${sizes}">`
      : undefined;
  return html`<li class="frame-${Math.round(frame * 100)}"><a id="picture-${nameInLink(image)}" href="${targetOf(image)}" data-overlay="${JSON.stringify(forVisitors(image))}"><picture>${avif}<img src="${thumbnail_url}" srcset="${both(thumbnail_url, screen_url)}" sizes="${sizes}" width="${small.width}" height="${small.height}" alt="${description || filename}" loading="${eager ? 'eager' : 'lazy'}" decoding="async"></picture></a>${caption}</li>
`;
}
