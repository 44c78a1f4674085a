import { administration as texts } from '../text/words.ts';

/** Who did it. A username has no space. */
export const actorName = (actor: string): string => (actor === 'command line' ? texts.audit.commandLine : actor);
