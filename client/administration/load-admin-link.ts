import { administrationWords } from '../text/administration-words.ts';
import { withWords } from '../text/language.ts';

/** With its words, which only administrators need. */
export const loadAdminLink = async () => ({
  default: (await withWords([administrationWords], import('./admin-link.tsx'))).AdminLink,
});
