/** Translates the page's English texts to the browser's language. */
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import type { PageOptions } from '../stage.ts';

type WordsIn = (locale: string) => (english: string) => string;

// Bundled, because the client's sources are not part of the tests' compilation.
const bundle = await rolldown({ input: join(process.cwd(), 'client/testing/translate.ts') });
const { output } = await bundle.generate({ format: 'esm' });
await bundle.close();
const { wordsIn }: { wordsIn: WordsIn } = await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);

export const wordsFor = ({ locale = 'en' }: Pick<PageOptions, 'locale'>) => wordsIn(locale);
