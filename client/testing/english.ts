/** Loads the English words for tests. */
import { auth, gallery, later, settings, sharing, start, tokens, upload } from '../text/languages/en.ts';
import { speak } from '../text/words.ts';

speak({ ...start, ...auth, ...gallery, ...upload, ...later, ...settings, ...sharing, ...tokens });
