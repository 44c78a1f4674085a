/** What the page translators of Chrome and Edge do to a page: they move each text into two new elements, now and as it changes. */
import type { Page } from 'playwright-core';
import { callInPage } from './in-page.ts';

/** For `addInitScript`. The words stay, so that tests find them. A page that still shows a replaced text is out of date. */
export const translator = `(() => {
  const done = new WeakSet();
  const skipped = new Set(['SCRIPT', 'STYLE', 'TITLE', 'TEXTAREA', 'FONT', 'CODE']);
  const wrap = (node) => {
    const parent = node.parentElement;
    if (done.has(node) || !node.data.trim() || !parent || skipped.has(parent.nodeName)) return;
    if (parent.closest('[translate=no], .notranslate')) return;
    const [outer, inner] = [document.createElement('font'), document.createElement('font')];
    inner.textContent = node.data;
    outer.append(inner);
    done.add(inner.firstChild);
    parent.replaceChild(outer, node);
  };
  const walk = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    texts.forEach(wrap);
  };
  // Parsed, before any script of the page.
  document.addEventListener('readystatechange', () => {
    window.ofServer = new WeakSet(document.querySelectorAll('body, body *'));
  }, { once: true });
  addEventListener('DOMContentLoaded', () => {
    walk(document.body);
    new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes) {
        if (type === 'characterData') wrap(target);
        for (const node of addedNodes) {
          if (node.nodeType === 3) wrap(node);
          else if (node.nodeType === 1) walk(node);
        }
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
})()`;

const search = `() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = new Set();
  while (walker.nextNode()) {
    let node = walker.currentNode;
    if (!node.data.trim()) continue;
    while (node.parentElement.nodeName === 'FONT') node = node.parentElement;
    const place = node.parentElement;
    if (place.childNodes.length > 1 && !window.ofServer.has(place)) found.add(place.outerHTML.slice(0, 200));
  }
  return [...found];
}`;

/**
 * The elements in which a text has other nodes beside it: React fails when it removes or moves such a text after a translation.
 * The server's own HTML may have them, as no script changes it.
 */
export const textsBesideNodes = (page: Page): Promise<string[]> => callInPage(page, search) as Promise<string[]>;
