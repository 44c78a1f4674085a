import { and, desc, eq, isNull, lt, or, sql } from 'drizzle-orm';
import { albums, type ApiTokenRow, apiTokens, users } from '../../../drizzle/schema.ts';
import type { ClientDatabase, Database } from '../../database/connect.ts';
import { prepared } from '../../database/driver/prepared.ts';
import type { Scope } from '../../contract.ts';
import { NotFound, TooManyTokens } from '../../errors.ts';
import { type Account, accountColumns, type AccountColumns, accountOf } from '../queries.ts';

export const MAX_TOKENS = 100;

/** Characters kept of a program's name. */
const LONGEST_PROGRAM = 100;

export type NewToken = Pick<
  ApiTokenRow,
  'id' | 'ownerId' | 'name' | 'secretHash' | 'start' | 'albumId' | 'imagesExpireIn' | 'expiresAt'
> & { scopes: readonly Scope[] };

/**
 * Locks the account's row, so that concurrent calls cannot exceed the limit.
 * @throws NotFound for an unknown album; TooManyTokens
 */
export async function insertToken(db: Database, token: NewToken): Promise<ApiTokenRow> {
  const { ownerId, albumId } = token;
  return db.transaction(async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, ownerId)).for('update');
    if (albumId !== null) await assertAlbum(tx, ownerId, albumId);
    if ((await tx.$count(apiTokens, eq(apiTokens.ownerId, ownerId))) >= MAX_TOKENS) throw new TooManyTokens(MAX_TOKENS);
    const [row] = await tx
      .insert(apiTokens)
      .values({ ...token, scopes: [...token.scopes] })
      .returning();
    if (!row) throw new Error('an insert answered no row');
    return row;
  });
}

async function assertAlbum(db: Pick<Database, '$count'>, ownerId: string, id: string): Promise<void> {
  const found = await db.$count(albums, and(eq(albums.id, id), eq(albums.ownerId, ownerId)));
  if (found === 0) throw new NotFound('There is no such album. Choose another one.');
}

/** Most recently used first. */
export async function listTokens(db: Database, ownerId: string): Promise<ApiTokenRow[]> {
  return db
    .select()
    .from(apiTokens)
    .where(eq(apiTokens.ownerId, ownerId))
    .orderBy(sql`${apiTokens.usedAt} desc nulls last`, desc(apiTokens.id));
}

export async function findToken(db: Database, ownerId: string, id: string): Promise<ApiTokenRow | undefined> {
  const own = and(eq(apiTokens.id, id), eq(apiTokens.ownerId, ownerId));
  return (await db.select().from(apiTokens).where(own))[0];
}

export type TokenChange = Partial<Pick<ApiTokenRow, 'name' | 'scopes' | 'albumId' | 'imagesExpireIn' | 'expiresAt'>>;

/**
 * @returns undefined if the account has no such token
 * @throws NotFound for an unknown album
 */
export async function changeToken(
  db: Database,
  { ownerId, id }: Pick<ApiTokenRow, 'ownerId' | 'id'>,
  change: TokenChange,
): Promise<ApiTokenRow | undefined> {
  if (change.albumId) await assertAlbum(db, ownerId, change.albumId);
  const own = and(eq(apiTokens.id, id), eq(apiTokens.ownerId, ownerId));
  if (Object.keys(change).length === 0) return findToken(db, ownerId, id);
  return (await db.update(apiTokens).set(change).where(own).returning())[0];
}

/** @returns whether the account had this token */
export async function deleteToken(db: Database, ownerId: string, id: string): Promise<boolean> {
  const own = and(eq(apiTokens.id, id), eq(apiTokens.ownerId, ownerId));
  return (await db.delete(apiTokens).where(own).returning({ id: apiTokens.id })).length > 0;
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

/** Runs with every call of a token. */
const tokenAccount = `
  select ${accountColumns}, api_tokens.id as "tokenId", scopes, album_id as "albumId",
    images_expire_in as "imagesExpireIn",
    used_at is null or used_at < now() - interval '5 minutes' as "isUnused"
  from api_tokens join users on users.id = api_tokens.owner_id
  where api_tokens.secret_hash = $1 and (api_tokens.expires_at is null or api_tokens.expires_at > now())
    and users.disabled_at is null`;

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
export async function markUsed(db: Database, id: string, program: string | undefined): Promise<void> {
  const isUnused = or(isNull(apiTokens.usedAt), lt(apiTokens.usedAt, sql`now() - interval '5 minutes'`));
  await db
    .update(apiTokens)
    .set({ usedAt: sql`now()`, usedBy: program?.replaceAll('\0', '').slice(0, LONGEST_PROGRAM) ?? null })
    .where(and(eq(apiTokens.id, id), isUnused));
}

/** Ends all tokens of an account. @returns how many */
export async function endTokens(db: Pick<Database, 'delete'>, ownerId: string): Promise<number> {
  const ended = await db.delete(apiTokens).where(eq(apiTokens.ownerId, ownerId)).returning({ id: apiTokens.id });
  return ended.length;
}
