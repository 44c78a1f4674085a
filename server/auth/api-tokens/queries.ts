import { and, desc, eq, isNull, lt, or, sql } from 'drizzle-orm';
import { type ApiTokenRow, apiTokens } from '../../../drizzle/schema.ts';
import { mustHave } from '../../albums/queries.ts';
import type { Scope } from '../../contract.ts';
import type { ClientDatabase, Database, Transaction } from '../../database/connect.ts';
import { prepared } from '../../database/driver/prepared.ts';
import { TooManyTokens } from '../../errors.ts';
import { type Account, type AccountColumns, accountColumns, accountOf } from '../queries.ts';

export const MAX_TOKENS = 100;

export type NewToken = Pick<
  ApiTokenRow,
  'id' | 'ownerId' | 'name' | 'secretHash' | 'start' | 'albumId' | 'imagesExpireIn' | 'expiresAt'
> & { scopes: Scope[] };

/** Call under the owner's lock. @throws NotFound for an unknown album; TooManyTokens */
export async function insertToken(tx: Transaction, token: NewToken): Promise<ApiTokenRow> {
  const { ownerId, albumId } = token;
  if (albumId) await mustHave(tx, ownerId, albumId);
  if ((await tx.$count(apiTokens, eq(apiTokens.ownerId, ownerId))) >= MAX_TOKENS) {
    throw new TooManyTokens(String(MAX_TOKENS));
  }
  const [row] = await tx.insert(apiTokens).values(token).returning();
  if (!row) throw new Error('an insert answered no row');
  return row;
}

/** Most recently used first. */
export async function listTokens(db: Database, ownerId: string): Promise<ApiTokenRow[]> {
  return db
    .select()
    .from(apiTokens)
    .where(eq(apiTokens.ownerId, ownerId))
    .orderBy(sql`${apiTokens.usedAt} desc nulls last`, desc(apiTokens.id));
}

const own = (ownerId: string, id: string) => and(eq(apiTokens.id, id), eq(apiTokens.ownerId, ownerId));

export async function findToken(db: Database, ownerId: string, id: string): Promise<ApiTokenRow | undefined> {
  const [row] = await db.select().from(apiTokens).where(own(ownerId, id));
  return row;
}

export type TokenChange = Partial<Pick<ApiTokenRow, 'name' | 'scopes' | 'albumId' | 'imagesExpireIn' | 'expiresAt'>>;

/**
 * Call under the owner's lock, so that concurrent changes cannot widen a token.
 * @returns undefined if the account has no such token @throws NotFound for an unknown album; errors of `changeOf`
 */
export async function changeToken(
  tx: Transaction,
  { ownerId, id }: Pick<ApiTokenRow, 'ownerId' | 'id'>,
  changeOf: (row: ApiTokenRow) => TokenChange,
): Promise<ApiTokenRow | undefined> {
  const [row] = await tx.select().from(apiTokens).where(own(ownerId, id));
  if (!row) return undefined;
  const change = changeOf(row);
  if (Object.keys(change).length === 0) return row;
  if (change.albumId) await mustHave(tx, ownerId, change.albumId);
  return (await tx.update(apiTokens).set(change).where(own(ownerId, id)).returning())[0];
}

/** @returns its name; undefined if the account has no such token */
export async function deleteToken(
  db: Database | Transaction,
  ownerId: string,
  id: string,
): Promise<string | undefined> {
  const [ended] = await db.delete(apiTokens).where(own(ownerId, id)).returning({ name: apiTokens.name });
  return ended?.name;
}

export async function deleteExpiredTokens(db: Database): Promise<void> {
  await db.delete(apiTokens).where(lt(apiTokens.expiresAt, sql`now()`));
}

/** A live token, as a call carries it. */
export type LiveToken = {
  id: string;
  scopes: Scope[];
  albumId: string | null;
  imagesExpireIn: string | null;
  /** `used_at` has not been updated for a while. */
  isUnused: boolean;
};

/** Runs with every call of a token. The driver reads arrays as one string (database/driver/array-types.ts), but JSON as a list. */
const tokenAccount = `
  select ${accountColumns}, api_tokens.id as "tokenId", to_jsonb(scopes) as scopes, album_id as "albumId",
    images_expire_in as "imagesExpireIn",
    used_at is null or used_at < now() - interval '5 minutes' as "isUnused"
  from api_tokens join users on users.id = api_tokens.owner_id
  where api_tokens.secret_hash = $1 and (api_tokens.expires_at is null or api_tokens.expires_at > now())
    and users.disabled_at is null and users.pending_since is null`;

type TokenColumns = AccountColumns & Omit<LiveToken, 'id'> & { tokenId: string };

/** @returns the account of a live token, unless it is disabled */
export async function findTokenAccount(
  db: ClientDatabase,
  secretHash: string,
): Promise<{ account: Account; token: LiveToken } | undefined> {
  const [row] = await prepared<TokenColumns>(db, tokenAccount, [secretHash]);
  if (!row) return undefined;
  const { tokenId: id, scopes, albumId, imagesExpireIn, isUnused } = row;
  return { account: accountOf(row), token: { id, scopes, albumId, imagesExpireIn, isUnused } };
}

/** Writes at most once in five minutes, even with concurrent calls. */
export async function markUsed(db: Database, id: string, program: string | null): Promise<void> {
  const isUnused = or(isNull(apiTokens.usedAt), lt(apiTokens.usedAt, sql`now() - interval '5 minutes'`));
  await db
    .update(apiTokens)
    .set({ usedAt: sql`now()`, usedBy: program })
    .where(and(eq(apiTokens.id, id), isUnused));
}
