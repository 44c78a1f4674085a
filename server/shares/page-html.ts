/** The pages of a share that an album has not: the question for the password, and what programs read in the head. */
import type { PageAssets } from '../http/page/assets.ts';
import { htmlDocument, PRODUCT } from '../http/page/document.ts';
import { type Html, html } from '../http/page/html.ts';
import type { ShareText } from './page-text.ts';

/** Lets programs find the oEmbed answer. */
export const oembedLink = (name: string, address: string): Html =>
  html`<link rel="alternate" type="application/json+oembed" href="${address}" title="${name}">
`;

type Question = { assets: PageAssets; text: ShareText; name: string; page: string; oembed: string; isWrong: boolean };

/** Shows nothing of a protected share but its name. @param page absolute link to the page */
export function questionHtml({ assets, text, name, page, oembed, isWrong }: Question): string {
  const head = html`<meta property="og:type" content="website">
<meta property="og:site_name" content="${PRODUCT}">
<meta property="og:locale" content="${text.locale}">
<meta property="og:title" content="${name}">
<meta property="og:url" content="${page}">
<meta name="twitter:card" content="summary">
<meta name="twitter:title" content="${name}">
${oembedLink(name, oembed)}`;
  const alert = isWrong ? html`<p class="wrong" id="wrong" role="alert">${text.wrongPassword}</p>\n` : undefined;
  const described = isWrong ? html` aria-invalid="true" aria-describedby="wrong"` : undefined;
  const body = html`<div class="missing"><h1><bdi>${name}</bdi></h1>
<p>${text.needsPassword}</p>
<form class="question" method="post"><label>${text.password}<input type="password" name="password" required maxlength="256" autocomplete="off" dir="ltr" autofocus${described}></label>
${alert}<button>${text.open}</button></form></div>
`;
  const noScript = { ...assets, script: undefined };
  return htmlDocument({ assets: noScript, reader: text, title: `${name} · ${PRODUCT}`, head, body });
}
