import { lazy } from 'react';
import { withWords } from '../../text/language.ts';

/** With the words of password fields. */
const load = () => withWords(['auth', 'later'], import('./share-dialog.tsx'));

export const ShareDialog = lazy(async () => ({ default: (await load()).ShareDialog }));
export const EditShareDialog = lazy(async () => ({ default: (await load()).EditShareDialog }));
