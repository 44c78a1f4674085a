/** Loads the English words for tests. */
import { later, texts } from '../text/languages/en.ts';
import { speak, speakLater } from '../text/texts.ts';

speak(texts);
speakLater(later);
