/** The page behind a delete link: the picture and one button, without scripts. */
import type { ImageRow } from '../../drizzle/schema.ts';
import type { PageAssets } from '../http/page/assets.ts';
import { htmlDocument, PRODUCT } from '../http/page/document.ts';
import { type Html, html } from '../http/page/html.ts';
import { renditionPath } from '../images/links/link-paths.ts';
import type { PageText } from './page-text.ts';

/** px on the longer side (server/images/rendition-names.ts). */
const THUMBNAIL = 480;

function pictureOf(row: ImageRow): Html {
  const scale = Math.min(1, THUMBNAIL / Math.max(row.width, row.height));
  const [width, height] = [row.width, row.height].map((side) => Math.max(1, Math.round(side * scale)));
  return html`<img class="picture" src="${renditionPath(row, 'thumbnail')}" width="${width}" height="${height}" alt="${row.description || row.filename}">
`;
}

function page(assets: PageAssets, text: PageText, title: string, body: Html): string {
  const noScript = { ...assets, script: undefined };
  const whole = html`<div class="missing">${body}</div>
`;
  return htmlDocument({ assets: noScript, reader: text, title: `${title} · ${PRODUCT}`, body: whole });
}

/** Without the picture if it is hidden, because its own link does not work then. */
export function questionHtml(assets: PageAssets, text: PageText, row: ImageRow): string {
  const body = html`${row.hiddenAt === null ? pictureOf(row) : undefined}<h1>${text.question}</h1>
<p><bdi>${row.filename}</bdi></p>
<p>${text.consequence}</p>
<form method="post"><button class="delete">${text.button}</button></form>`;
  return page(assets, text, text.question, body);
}

export const deletedHtml = (assets: PageAssets, text: PageText): string =>
  page(assets, text, text.deleted, html`<h1>${text.deleted}</h1>\n<p>${text.deletedReason}</p>`);

export const missingHtml = (assets: PageAssets, text: PageText): string =>
  page(assets, text, text.missing, html`<h1>${text.missing}</h1>\n<p>${text.missingReason}</p>`);
