/** The words of the page, by the English ones, in the language of the browser that visits it. */
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import type { PageOptions } from './stage.ts';

type WordsIn = (locale: string) => (english: string) => string;

// The page's sources are no part of what the tests are compiled with.
const bundle = await rolldown({ input: join(process.cwd(), 'client/testing/translate.ts') });
const { output } = await bundle.generate({ format: 'esm' });
await bundle.close();
const { wordsIn }: { wordsIn: WordsIn } = await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);

export const wordsFor = ({ locale = 'en' }: Pick<PageOptions, 'locale'>) => wordsIn(locale);
