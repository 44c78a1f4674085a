import type { Action } from '../../audit/actions.ts';
import { commandLine, type Details, note } from '../../audit/note.ts';
import type { Database } from '../../database/connect.ts';
import { messageOf } from '../../database/start-error.ts';
import { noteAbove } from './console/progress.ts';

/** For a command that must also work on a database that accepts no entry, and for one that is done already. */
export async function noteCommand(db: Database, action: Action, details: Details): Promise<void> {
  try {
    await note(db, { action, actor: commandLine, details });
  } catch (error) {
    const reason = messageOf(error instanceof Error ? (error.cause ?? error) : error);
    noteAbove(`The audit log has no entry of this command (${reason}).`);
  }
}
