/** Checks a page in Arabic: no word of another language is visible or announced. */
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { findsNothing } from './checks/axe.ts';
import type { Judge } from './screens/visit.ts';

export const arabic = { locale: 'ar-EG' };

/** Names and search operators that are the same in every language, and isolated names that users chose. */
const names =
  /[\u2066\u2068][^\u2069]*\u2069|Encryption|ENCRYPTION|BACKUP_PATH|English|\bAPI\b|ShareX|Flameshot|ksnip|PicGo|curl|iPhone|iPad|iOS|Windows|Linux|\bURL\b|\bQR\b|\bZIP\b|\/[sl]\/[\w-]*|\bPOST\b|YouTube|Vimeo|Dailymotion|Twitch|https?:\/\/\S*|JPE?G|PNG|WebP|GIF|AVIF|TIFF|SVG|HEIC|Markdown|HTML|BBCode|lightMyRequest|(?:type|size):\S*|\b(?:jpeg|png|webp|gif|avif|tiff|svg|heic|kb|mb|gb|landscape|square)\b|[\w.-]+\.(?:png|jpg|md|sh|json|sxcu|env)/g;

/** Latin words that are visible or announced, except for code and the user's own names. */
export const strayWords = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const said = [document.title];
    for (const element of document.querySelectorAll('body *:not(script, style, bdi, bdi *, code, svg *)')) {
      if (!element.checkVisibility()) continue;
      for (const name of ['aria-label', 'title', 'placeholder', 'aria-valuetext']) said.push(element.getAttribute(name) ?? '');
      for (const node of element.childNodes) if (node.nodeType === 3) said.push(node.data);
    }
    return said.flatMap((text) => text.replace(${names}, '').match(/[A-Za-z]{2,}/g) ?? []);
  })()`);

export async function isArabic(t: Test, page: Page, state: string, judge: Judge = findsNothing): Promise<void> {
  t.equal(await page.evaluate('getComputedStyle(document.body).direction'), 'rtl', `${state}: right to left`);
  t.same(await strayWords(page), [], `${state}: no words in another language`);
  await judge(t, page, state);
}
