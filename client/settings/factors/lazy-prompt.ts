import { lazyPart } from '../../lib/lazy-part.ts';
import { factorsWords } from '../../text/factors-words.ts';
import { withWords } from '../../text/language.ts';

const load = () => withWords(['auth', 'settings', factorsWords], import('./proof-prompt.tsx'));

export const ProofPrompt = lazyPart(async () => ({ default: (await load()).ProofPrompt }));
