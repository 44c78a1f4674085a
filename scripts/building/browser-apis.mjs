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
