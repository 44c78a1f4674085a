import { texts as ar, later as laterAr } from '../text/languages/ar.ts';
import { texts as en, later as laterEn } from '../text/languages/en.ts';

const english = { ...en, ...laterEn };
const languages: Readonly<Record<string, object>> = { en: english, ar: { ...ar, ...laterAr } };

/** Pairs of texts that stand at the same place. */
function* pairs(from: object, to: object): Generator<[string, string]> {
  for (const [key, text] of Object.entries(from)) {
    const other: unknown = (to as Record<string, unknown>)[key];
    if (typeof text === 'string' && typeof other === 'string') yield [text, other];
    else if (typeof text === 'object' && typeof other === 'object' && other !== null) yield* pairs(text, other);
  }
}

/**
 * For who visits screens in another language: a fixed text by its English words.
 * @param locale its language is what counts: `ar-EG`
 * @throws for words that are no fixed text
 */
export function wordsIn(locale: string): (english: string) => string {
  // Of words that stand at several places, those of the first are taken.
  const words = new Map([...pairs(english, languages[locale.slice(0, 2)] ?? english)].reverse());
  return (english) => {
    const found = words.get(english);
    if (found === undefined) throw new Error(`"${english}" is no fixed text.`);
    return found;
  };
}
