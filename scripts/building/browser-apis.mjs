/**
 * What the oldest supported browsers lack (client/browsers.ts). The build compiles newer syntax away, but not calls.
 */
const missing = [
  ...['URL.canParse', 'URL.parse', 'Promise.withResolvers', 'Promise.try', 'Object.groupBy', 'Map.groupBy'],
  ...['Array.fromAsync', 'AbortSignal.any', 'RegExp.escape', 'Iterator.from', 'Error.isError', 'Math.sumPrecise'],
  ...['Intl.DurationFormat', 'Uint8Array.fromBase64', 'Uint8Array.fromHex'],
  ...[
    '.isSubsetOf(',
    '.isSupersetOf(',
    '.isDisjointFrom(',
    '.symmetricDifference(',
    '.checkVisibility(',
    '.moveBefore(',
  ],
  ...['.isWellFormed(', '.toWellFormed(', '.setHTMLUnsafe(', '.getOrInsert('],
];

/** @returns the calls in a script that the oldest supported browsers lack, without those that it asks for by `typeof` first */
export const newerCalls = (script) =>
  missing.filter((call) => script.includes(call) && !script.includes(`typeof ${call}`));

/** Pseudo-classes that a supported browser lacks: it drops a whole list of selectors for one of them. */
const newer = /(?<!\\):(?:popover-open|user-invalid|user-valid|open\b|state\()/;
/** Firefox 115 has no :has(). */
const newest = new RegExp(`${newer.source}|:has\\(`);

const isMixed = (selectors, pseudo) =>
  selectors.some((one) => pseudo.test(one)) && !selectors.every((one) => pseudo.test(one));

/** @returns the lists in a style sheet of which an old browser drops every selector for the sake of one */
export const newerSelectors = (css) =>
  [...css.replace(/\/\*.*?\*\//gs, '').matchAll(/[^{};]+(?=\{)/g)]
    .map(([list]) => list.trim())
    .filter((list) => {
      if (list.startsWith('@')) return false;
      const each = list.split(/,(?![^(]*\))/);
      return isMixed(each, newest) || each.some((one) => isMixed(one.split(','), newer));
    });
