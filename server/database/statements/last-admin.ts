import { LastAdmin } from '../../errors.ts';

/** Raised by a trigger of the database, which every change of `users` passes (migrations/0028_people.sql). */
const LAST_ADMIN = 'GA001';

function codeOf(error: unknown): unknown {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return code === LAST_ADMIN || cause === undefined ? code : codeOf(cause);
}

/** Runs a change that the last administrator must survive. @throws LastAdmin */
export async function keepingAnAdmin<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    throw error instanceof Error && codeOf(error) === LAST_ADMIN ? new LastAdmin() : error;
  }
}
