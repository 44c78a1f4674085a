/** The public page of an album or a share, for browsers and link previews. Whole without scripts; with them, pictures open in an overlay. */
import type { Image } from '../contract.ts';
import type { PageAssets } from '../http/page/assets.ts';
import { htmlDocument, PRODUCT } from '../http/page/document.ts';
import { type Html, html } from '../http/page/html.ts';
import { previewOf, tile } from './page-pictures.ts';
import type { PageText } from './page-text.ts';

/** Pictures that usually fit on the first screen. */
const EAGER = 8;

export type AlbumView = {
  assets: PageAssets;
  text: PageText;
  name: string;
  /** Images that visitors see. */
  count: number;
  hidden: number;
  images: Image[];
  /** The cover, else the first image. */
  lead: Image | undefined;
  page: number;
  totalPages: number;
  pageSize: number;
  /** Links to ZIP files. */
  downloads?: { href: string; label: string }[];
  /** Whether the overlay offers to save a picture; by default it does. */
  canSave?: boolean;
  /** Whether the images open only after a password. */
  isProtected?: boolean;
  /** More for programs that read the page's head. */
  discovery?: Html;
  /** The page's path without its query, and its origin. */
  path: string;
  origin: string;
  /** As a link. */
  abuseContact: string | undefined;
};

/** The contact to report abuse to. */
function foot({ reportAbuse }: PageText, contact: string | undefined): Html | undefined {
  if (contact === undefined) return undefined;
  const address = contact.startsWith('mailto:') ? html`: <bdi>${contact.slice('mailto:'.length)}</bdi>` : undefined;
  return html`<footer class="foot"><a href="${contact}">${reportAbuse}${address}</a></footer>
`;
}

function preview({ text, name, count, lead, path, origin, discovery }: AlbumView): Html {
  const description = text.count(count);
  const shown = lead && previewOf(lead);
  const image = shown
    ? html`<meta property="og:image" content="${origin}${shown.path}">
<meta property="og:image:type" content="${shown.contentType}">
<meta property="og:image:width" content="${shown.width}">
<meta property="og:image:height" content="${shown.height}">
<meta property="og:image:alt" content="${name}">
<meta name="twitter:image" content="${origin}${shown.path}">
`
    : undefined;
  return html`<meta name="description" content="${description}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${PRODUCT}">
<meta property="og:locale" content="${text.locale}">
<meta property="og:title" content="${name}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${origin}${path}">
<meta name="twitter:card" content="${shown ? 'summary_large_image' : 'summary'}">
<meta name="twitter:title" content="${name}">
<meta name="twitter:description" content="${description}">
${image}${discovery}`;
}

function actions({ downloads = [], count, text }: AlbumView): Html | undefined {
  // The page's script shows it.
  const slideshow = html`<button type="button" data-slideshow hidden>${text.slideshow}</button>\n`;
  const links = downloads.map(({ href, label }) => html`<a href="${href}" download>${label}</a>\n`);
  const all = count > 1 ? [slideshow, ...links] : links;
  return all.length === 0 ? undefined : html`<p class="actions">${all}</p>\n`;
}

function pager({ text, page, totalPages, path }: AlbumView): Html | undefined {
  if (totalPages <= 1) return undefined;
  const link = (to: number, rel: string, word: string) =>
    to < 1 || to > totalPages
      ? html`<span aria-hidden="true">${word}</span>`
      : html`<a rel="${rel}" href="${path}${to === 1 ? '' : `?page=${to}`}">${word}</a>`;
  return html`<nav class="pager" aria-label="${text.pages}">${link(page - 1, 'prev', text.previous)}<p>${text.pageOf(page, totalPages)}</p>${link(page + 1, 'next', text.next)}</nav>
`;
}

export function albumHtml(view: AlbumView): string {
  const { assets, text, name, count, hidden, images, page, totalPages, pageSize } = view;
  // With hidden images, positions would reveal how many there are.
  const total = hidden === 0 ? html` data-total="${count}"` : undefined;
  const noSaving = view.canSave === false ? html` data-no-saving` : undefined;
  const locked = view.isProtected ? html` data-protected` : undefined;
  const wall =
    images.length === 0
      ? html`<p class="empty">${text.empty}</p>
`
      : html`<ul class="wall" data-page="${page}" data-pages="${totalPages}" data-page-size="${pageSize}"${total}${noSaving}${locked}>
${images.map((image, index) => tile(image, index < EAGER))}</ul>
`;
  const body = html`<h1><bdi>${name}</bdi></h1>
<p class="count">${text.count(count)}</p>
${actions(view)}${wall}${pager(view)}`;
  return htmlDocument({
    assets,
    reader: text,
    title: `${name} · ${PRODUCT}`,
    head: preview(view),
    body,
    footer: foot(text, view.abuseContact),
  });
}

export const missingHtml = (assets: PageAssets, text: PageText): string =>
  noticeHtml(assets, text, text.missing, text.missingReason);

export const busyHtml = (assets: PageAssets, text: PageText): string =>
  noticeHtml(assets, text, text.busy, text.busyReason);

function noticeHtml(assets: PageAssets, text: PageText, title: string, reason: string): string {
  const body = html`<div class="missing"><div class="mosaic" aria-hidden="true"><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i></div><h1>${title}</h1>
<p>${reason}</p></div>
`;
  return htmlDocument({ assets, reader: text, title: `${title} · ${PRODUCT}`, body });
}
