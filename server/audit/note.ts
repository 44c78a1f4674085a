/** Writes the audit log. No entry contains a secret. */
import type { FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { auditLog, type UserRow } from '../../drizzle/schema.ts';
import type { Database, Transaction } from '../database/connect.ts';
import type { Action, Detail } from './actions.ts';

type Named = Pick<UserRow, 'id' | 'username'>;

/** Who acts, and from where. */
export type Actor = { id: string | null; name: string; address: string | null };

/** A command of the administrator, who has a shell. */
export const commandLine: Actor = { id: null, name: 'command line', address: null };

/** For what the server does without a request. */
export const theServer: Actor = { id: null, name: 'the server', address: null };

/** A caller without a login. */
export const stranger = ({ ip }: FastifyRequest): Actor => ({ id: null, name: '', address: ip });

/** The account of a call, or one that has just logged in. */
export const actorOf = (request: FastifyRequest, { id, username }: Named = request.account): Actor => ({
  id,
  name: username,
  address: request.ip,
});

export type Entry = {
  action: Action;
  actor: Actor;
  /** The account that it concerns, if it is not the actor's. */
  account?: Named | undefined;
  details?: Details;
};

export type Details = Partial<Record<Detail, string | number | boolean | null>>;
/** TypeScript refuses unknown names in literals only; this refuses them in variables too. */
type OnlyKnown<D> = Record<Exclude<keyof D, Detail>, never>;

/** Postgres text cannot contain NUL. */
const clean = (text: string) => text.toWellFormed().replaceAll('\0', '\uFFFD').slice(0, 500);

export async function note<D extends Details>(
  db: Database | Transaction,
  { action, actor, account, details }: Entry & { details?: D & OnlyKnown<D> },
): Promise<void> {
  const concerned = account ?? (actor.id === null ? undefined : { id: actor.id, username: actor.name });
  const cleaned = Object.entries(details ?? {}).map(([key, value]) => [
    key,
    typeof value === 'string' ? clean(value) : value,
  ]);
  await db.insert(auditLog).values({
    id: uuidv7(),
    action,
    ...{ actorId: actor.id, actor: clean(actor.name), address: actor.address },
    ...{ accountId: concerned?.id ?? null, account: concerned?.username ?? null },
    details: Object.fromEntries(cleaned),
  });
}
