import type { Database } from '../../database/connect.ts';
import { dropEndedWindows } from '../../http/limits/rate-limit-queries.ts';
import { deleteEndedSessions } from '../queries.ts';

export async function clearEnded(db: Database): Promise<void> {
  await deleteEndedSessions(db);
  await dropEndedWindows(db);
}
