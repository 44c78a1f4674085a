/** The frame of pages that the server renders. They are not for search engines, and their addresses are secrets. */
import type { PageAssets } from './assets.ts';
import { type Html, html } from './html.ts';
import type { Reader } from './language.ts';

export const PRODUCT = 'Encryption';

/** The Latin font, and the Arabic one if the page's words are Arabic. Names in other scripts load theirs when they occur. */
function links({ styles, script, fonts }: PageAssets, { language }: Reader): Html[] {
  const needed = fonts.filter((font) => font.includes('latin') || (language === 'ar' && font.includes('arabic')));
  return [
    ...needed.map((font) => html`<link rel="preload" as="font" type="font/woff2" href="${font}" crossorigin>\n`),
    ...styles.map((style) => html`<link rel="stylesheet" href="${style}">\n`),
    ...(script === undefined ? [] : [html`<script type="module" src="${script}"></script>\n`]),
  ];
}

type Parts = {
  assets: PageAssets;
  reader: Reader;
  title: string;
  head?: Html;
  body: Html;
  footer?: Html | undefined;
};

export function htmlDocument({ assets, reader, title, head, body, footer }: Parts): string {
  return html`<!doctype html>
<html lang="${reader.language}" dir="${reader.direction}">
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
${links(assets, reader)}</head>
<body>
<header class="top"><img src="/mark.svg" alt="" width="26" height="26"><span lang="en" dir="ltr" translate="no">${PRODUCT}</span></header>
<main>
${body}</main>
${footer}</body>
</html>
`.html;
}
