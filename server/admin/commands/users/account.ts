import type { UserRow } from '../../../../drizzle/schema.ts';
import { findUser } from '../../../auth/queries.ts';
import type { Database } from '../../../database/connect.ts';
import { CommandFailed } from '../console/failures.ts';

export const accountArgument = 'the email, the username or the id of the account';

/** @throws CommandFailed if the account does not exist */
export async function accountNamed(db: Database, name: string): Promise<UserRow> {
  const user = await findUser(db, name);
  if (!user) throw new CommandFailed(`There is no account ${JSON.stringify(name)}: give its email, username or id.`);
  return user;
}

export const nameOf = ({ username, email }: UserRow) => `"${username}" (${email})`;

export const sessionsEnded = (count: number) => `${count} ${count === 1 ? 'session' : 'sessions'} ended.`;

export const tokensEnded = (count: number) => `${count} API ${count === 1 ? 'token' : 'tokens'} ended.`;
