import { administration as texts } from '../text/words.ts';

/** Who did it. A username has no space. */
export function actorName(actor: string): string {
  if (actor === 'command line') return texts.audit.commandLine;
  return actor === 'the server' ? texts.audit.theServer : actor;
}
