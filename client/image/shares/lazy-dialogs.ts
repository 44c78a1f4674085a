import { lazy } from 'react';
import { withWords } from '../../text/language.ts';
import { sharingWords } from '../../text/sharing-words.ts';

/** With the words of password fields. */
const load = () => withWords(['auth', 'later', sharingWords], import('./share-dialog.tsx'));

export const ShareDialog = lazy(async () => ({ default: (await load()).ShareDialog }));
export const EditShareDialog = lazy(async () => ({ default: (await load()).EditShareDialog }));
