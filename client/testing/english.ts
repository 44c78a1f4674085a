/** Loads the English words for tests. */
import { later, pictures, start } from '../text/languages/en.ts';
import { speak } from '../text/words.ts';

speak({ ...start, ...pictures, ...later });
