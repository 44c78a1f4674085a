import { lazyPart } from '../lib/lazy-part.ts';
import { withWords } from '../text/language.ts';
import { sharingWords } from '../text/sharing-words.ts';

/** With the words of password fields. */
const load = () => withWords(['auth', 'later', sharingWords], import('./collect-dialog.tsx'));

export const CollectDialog = lazyPart(async () => ({ default: (await load()).CollectDialog }));
export const EditCollectDialog = lazyPart(async () => ({ default: (await load()).EditCollectDialog }));
