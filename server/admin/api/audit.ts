/** The audit log, for administrators. */
import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import { validate as isUuid } from 'uuid';
import { ACTIONS } from '../../audit/actions.ts';
import { dateOf, isAction } from '../../audit/filter-values.ts';
import { actorOf, note } from '../../audit/note.ts';
import { eachEntry, entryOf, type Filter, listEntries } from '../../audit/queries.ts';
import { AuditPage } from '../../contract.ts';
import type { Database } from '../../database/connect.ts';
import { InvalidRequest } from '../../errors.ts';
import { perAccount } from '../../http/limits/rate-limit.ts';
import { forAdmins } from '../../http/scopes.ts';
import { auditedAccount } from '../audited-account.ts';

const minute = 60_000;
const pageSize = 100;

const Query = Type.Object({
  action: Type.Optional(Type.String({ maxLength: 50, description: 'an action, or the part before its dot' })),
  account: Type.Optional(
    Type.String({ maxLength: 320, description: 'id, username or email of the account that acts or that is concerned' }),
  ),
  from: Type.Optional(Type.String({ description: 'ISO 8601' })),
  until: Type.Optional(Type.String({ description: 'ISO 8601; not included' })),
});
const PageQuery = Type.Object({ ...Query.properties, before: Type.Optional(Type.String()) });

/** @throws InvalidRequest */
function readDate(name: string, text: string | undefined): Date | undefined {
  const date = text === undefined ? undefined : dateOf(text);
  if (text !== undefined && !date) throw new InvalidRequest(`The field "${name}" needs a date like 2030-01-31.`);
  return date;
}

/** @throws InvalidRequest */
async function filterOf(db: Database, { action, account, from, until }: Static<typeof Query>): Promise<Filter> {
  if (action !== undefined && !isAction(action))
    throw new InvalidRequest('There is no such action. GET /api/admin/audit lists them in "actions".');
  const dates = { from: readDate('from', from), until: readDate('until', until) };
  return { action, account: account === undefined ? undefined : await auditedAccount(db, account), ...dates };
}

export const auditRoutes: FastifyPluginAsyncTypebox = async (app) => {
  const reading = {
    config: forAdmins,
    schema: {
      operationId: 'listAuditEntries',
      summary: 'Read the audit log',
      querystring: PageQuery,
      response: { 200: AuditPage },
    },
  };
  app.get('/', reading, async ({ query: { before, ...query } }) => {
    if (before !== undefined && !isUuid(before))
      throw new InvalidRequest('The field "before" needs the id of an entry.');
    const rows = await listEntries(app.db, await filterOf(app.db, query), { before, size: pageSize + 1 });
    const entries = rows.slice(0, pageSize).map(entryOf);
    return { entries, next: rows.length > pageSize ? (entries.at(-1)?.id ?? null) : null, actions: [...ACTIONS] };
  });

  const exporting = {
    config: { ...perAccount('audit-export', 30, minute), ...forAdmins },
    schema: {
      operationId: 'exportAuditLog',
      summary: 'Download the audit log as JSON lines, the oldest entry first',
      querystring: Query,
    },
  };
  app.get('/export', exporting, async (request, reply) => {
    const filter = await filterOf(app.db, request.query);
    await note(app.db, { action: 'audit.exported', actor: actorOf(request) });
    request.endTurn();
    async function* lines() {
      for await (const rows of eachEntry(app.db, filter)) {
        yield rows.map((row) => `${JSON.stringify(entryOf(row))}\n`).join('');
      }
    }
    return reply
      .type('application/x-ndjson')
      .header('content-disposition', 'attachment; filename="audit.jsonl"')
      .send(Readable.from(lines()));
  });
};
