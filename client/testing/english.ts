/** For tests of what has words in it: English ones, as the tests have them. */
import { later, texts } from '../text/languages/en.ts';
import { speak, speakLater } from '../text/texts.ts';

speak(texts);
speakLater(later);
