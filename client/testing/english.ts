/** For tests of what has words in it: English ones, as the tests have them. */
import { texts } from '../text/languages/en.ts';
import { speak } from '../text/texts.ts';

speak(texts);
