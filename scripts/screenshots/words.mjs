/** Translates the page's fixed texts from English. */
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from '../building/targets.mjs';

/** @returns {Promise<(locale: string) => (english: string) => string>} */
export async function readWords() {
  const bundle = await rolldown({ input: join(root, 'client/testing/translate.ts') });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  const { wordsIn } = await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`);
  return wordsIn;
}
