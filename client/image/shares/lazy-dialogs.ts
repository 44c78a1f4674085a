import { lazyPart } from '../../lib/lazy-part.ts';
import { withWords } from '../../text/language.ts';
import { sharingWords } from '../../text/sharing-words.ts';

/** With the words of password fields. */
const load = () => withWords(['auth', 'later', sharingWords], import('./share-dialog.tsx'));

export const ShareDialog = lazyPart(async () => ({ default: (await load()).ShareDialog }));
export const EditShareDialog = lazyPart(async () => ({ default: (await load()).EditShareDialog }));
