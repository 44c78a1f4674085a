import type { IncomingHttpHeaders } from 'node:http';
import Negotiator from 'negotiator';

/** How to address the reader of a page. */
export type Reader = { language: 'en' | 'ar'; direction: 'ltr' | 'rtl' };

/** The texts in the language that the reader's browser prefers; English if it names neither. */
export function chooseLanguage<T>(headers: IncomingHttpHeaders, texts: Record<Reader['language'], T>): T {
  const [wanted] = new Negotiator({ headers }).languages(['en', 'ar']);
  return wanted === 'ar' ? texts.ar : texts.en;
}
