/** The public page of an album for browsers and link previews. Whole without scripts; with them, pictures open in an overlay. */
import type { Image } from '../contract.ts';
import { type Html, html } from './html.ts';
import type { PageAssets } from './page-assets.ts';
import { previewOf, tile } from './page-pictures.ts';
import type { PageText } from './page-text.ts';

const PRODUCT = 'Encryption';

/** Pictures that usually fit on the first screen. */
const EAGER = 8;

type AlbumView = {
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

/** The Latin font, and the Arabic one if the page's words are Arabic. Names in other scripts load theirs when they occur. */
function links({ styles, script, fonts }: PageAssets, { language }: PageText): Html[] {
  const needed = fonts.filter((font) => font.includes('latin') || (language === 'ar' && font.includes('arabic')));
  return [
    ...needed.map((font) => html`<link rel="preload" as="font" type="font/woff2" href="${font}" crossorigin>\n`),
    ...styles.map((style) => html`<link rel="stylesheet" href="${style}">\n`),
    ...(script === undefined ? [] : [html`<script type="module" src="${script}"></script>\n`]),
  ];
}

type Whole = { assets: PageAssets; text: PageText; title: string; head?: Html; body: Html; footer?: Html | undefined };

function whole({ assets, text, title, head, body, footer }: Whole): string {
  return html`<!doctype html>
<html lang="${text.language}" dir="${text.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#f3f2f0" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#0d0c0b" media="(prefers-color-scheme: dark)">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
${head}<link rel="icon" href="/mark.svg" type="image/svg+xml">
${links(assets, text)}</head>
<body>
<header class="top"><img src="/mark.svg" alt="" width="26" height="26"><span lang="en" dir="ltr" translate="no">${PRODUCT}</span></header>
<main>
${body}</main>
${footer}</body>
</html>
`.html;
}

function preview({ text, name, count, lead, path, origin }: AlbumView): Html {
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
${image}`;
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
  const wall =
    images.length === 0
      ? html`<p class="empty">${text.empty}</p>
`
      : html`<ul class="wall" data-page="${page}" data-pages="${totalPages}" data-page-size="${pageSize}"${total}>
${images.map((image, index) => tile(image, index < EAGER))}</ul>
`;
  const body = html`<h1><bdi>${name}</bdi></h1>
<p class="count">${text.count(count)}</p>
${wall}${pager(view)}`;
  return whole({
    assets,
    text,
    title: `${name} · ${PRODUCT}`,
    head: preview(view),
    body,
    footer: foot(text, view.abuseContact),
  });
}

export function missingHtml(assets: PageAssets, text: PageText): string {
  const body = html`<div class="missing"><div class="mosaic" aria-hidden="true"><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i><i></i></div><h1>${text.missing}</h1>
<p>${text.missingReason}</p></div>
`;
  return whole({ assets, text, title: `${text.missing} · ${PRODUCT}`, body });
}
