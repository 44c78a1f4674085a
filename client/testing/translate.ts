import * as ar from '../text/languages/ar.ts';
import * as en from '../text/languages/en.ts';

export const english = {
  ...en.start,
  ...en.auth,
  ...en.gallery,
  ...en.upload,
  ...en.later,
  ...en.settings,
  ...en.sharing,
  ...en.tokens,
  ...en.administration,
  ...en.provider,
  ...en.factors,
};
export const arabic = {
  ...ar.start,
  ...ar.auth,
  ...ar.gallery,
  ...ar.upload,
  ...ar.later,
  ...ar.settings,
  ...ar.sharing,
  ...ar.tokens,
  ...ar.administration,
  ...ar.provider,
  ...ar.factors,
};
const languages: Readonly<Record<string, object>> = { en: english, ar: arabic };

/** Pairs of texts under the same key. */
function* pairs(from: object, to: object): Generator<[string, string]> {
  for (const [key, text] of Object.entries(from)) {
    const other: unknown = (to as Record<string, unknown>)[key];
    if (typeof text === 'string' && typeof other === 'string') yield [text, other];
    else if (typeof text === 'object' && typeof other === 'object' && other !== null) yield* pairs(text, other);
  }
}

/**
 * Translates fixed texts for tests in another language.
 * @param locale only its language counts: `ar-EG`
 * @throws for words that are not a fixed text
 */
export function wordsIn(locale: string): (english: string) => string {
  // If the same words occur under several keys, the first key counts.
  const words = new Map([...pairs(english, languages[locale.slice(0, 2)] ?? english)].reverse());
  return (english) => {
    const found = words.get(english);
    if (found === undefined) throw new Error(`"${english}" is no fixed text.`);
    return found;
  };
}
