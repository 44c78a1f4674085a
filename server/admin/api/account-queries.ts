import { and, desc, eq, isNotNull, or, type SQL, sql } from 'drizzle-orm';
import { type UserRow, users } from '../../../drizzle/schema.ts';
import type { Database } from '../../database/connect.ts';
import { foldText } from '../../lib/fold.ts';

export type AccountState = 'all' | 'pending' | 'disabled' | 'admin';

const countOf = (table: string, column = 'user_id') =>
  sql<number>`(select count(*)::int from ${sql.identifier(table)} owned
    where owned.${sql.identifier(column)} = users.id)`;

const columns = {
  ...{ id: users.id, username: users.username, email: users.email, role: users.role, createdAt: users.createdAt },
  ...{ pendingSince: users.pendingSince, disabledAt: users.disabledAt, linksSilencedAt: users.linksSilencedAt },
  ...{ imageCount: users.imageCount, imageBytes: users.imageBytes },
  ...{ quotaImages: users.quotaImages, quotaBytes: users.quotaBytes },
  hasPassword: sql<boolean>`${users.passwordHash} is not null`,
  seenAt: sql<number | null>`(select date_part('epoch', max(seen_at)) * 1000 from sessions
    where sessions.user_id = users.id)`,
  sessions: countOf('sessions'),
  tokens: countOf('api_tokens', 'owner_id'),
  passkeys: countOf('passkeys'),
  hasCodes: sql<boolean>`exists (select 1 from totp_secrets
    where totp_secrets.user_id = users.id and confirmed_at is not null)`,
  providers: countOf('identities'),
};

export type AccountRow = Omit<
  UserRow,
  'usernameKey' | 'emailKey' | 'emailConfirmedAt' | 'passwordHash' | 'loginMails'
> & {
  hasPassword: boolean;
  /** ms since 1970 */
  seenAt: number | null;
  sessions: number;
  tokens: number;
  passkeys: number;
  hasCodes: boolean;
  providers: number;
};

const inState: Record<AccountState, SQL | undefined> = {
  all: undefined,
  pending: isNotNull(users.pendingSince),
  disabled: isNotNull(users.disabledAt),
  admin: eq(users.role, 'admin'),
};

type Filter = { search: string; state: AccountState };

/** Usernames and emails that contain the text, folded as in a search for images. The key of an email has its domain in ASCII. */
function matching({ search, state }: Filter): SQL | undefined {
  const text = foldText(search.toWellFormed()).replaceAll('\0', '\uFFFD');
  const contains = (folded: SQL) => sql`strpos(fold_text(${folded}), ${text}) > 0`;
  const { usernameKey, emailKey, email } = users;
  const columns = [usernameKey, emailKey, email].map((column) => sql`lower(${column})`);
  return and(inState[state], text === '' ? undefined : or(...columns.map(contains)));
}

/** Those that wait first, then the newest. */
export async function listAccounts(
  db: Database,
  filter: Filter,
  { page, size }: { page: number; size: number },
): Promise<{ rows: AccountRow[]; total: number }> {
  const where = matching(filter);
  const [sum] = await db.select({ total: sql<number>`count(*)::int` }).from(users).where(where);
  const rows = await db
    .select(columns)
    .from(users)
    .where(where)
    .orderBy(sql`${users.pendingSince} is null`, desc(users.id))
    .limit(size)
    .offset(Math.min((page - 1) * size, 2 ** 31 - 1));
  return { rows, total: sum?.total ?? 0 };
}

/** @returns undefined if there is no such account */
export async function findAccount(db: Database, id: string): Promise<AccountRow | undefined> {
  const [row] = await db.select(columns).from(users).where(eq(users.id, id));
  return row;
}
