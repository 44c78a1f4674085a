import { withWords } from '../text/language.ts';
import { sharingWords } from '../text/sharing-words.ts';

/** With the words of password fields. Not in the upload page, because the file of these words has more than it may start with. */
export const loadScreen = () => withWords(['auth', sharingWords], import('./guest-screen.tsx'));
