/** Lists and ends the sessions of an account. The guard's hook comes from routes.ts. */

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { validate as isUuid } from 'uuid';
import type { SessionRow } from '../../../drizzle/schema.ts';
import { actorOf, note } from '../../audit/note.ts';
import { type Session, SessionList, SessionsEnded } from '../../contract.ts';
import { NotFound } from '../../errors.ts';
import { ignoreBodies } from '../../http/ignore-bodies.ts';
import { perAccount } from '../../http/limits/rate-limit.ts';
import { refuses } from '../../http/openapi/refusals.ts';
import { sessionOnly } from '../../http/scopes.ts';
import { endOtherSessions } from '../queries.ts';
import { agentOf } from '../session/user-agent.ts';
import { endSession, listSessions } from './queries.ts';

const minute = 60_000;

async function sessionAnswer(row: SessionRow, ownId: string): Promise<Session> {
  const { id, createdAt, seenAt, userAgent, method, secondFactor } = row;
  return {
    id,
    created_at: createdAt.toISOString(),
    seen_at: seenAt.toISOString(),
    ...(await agentOf(userAgent)),
    method,
    second_factor: secondFactor,
    current: id === ownId,
  };
}

export const sessionRoutes: FastifyPluginAsyncTypebox = async (app) => {
  ignoreBodies(app);
  const ending = { ...perAccount('sessions', 600, minute), ...sessionOnly };

  const listing = {
    config: sessionOnly,
    schema: { operationId: 'listSessions', summary: 'List the sessions', response: { 200: SessionList } },
  };
  app.get('/sessions', listing, async ({ account, sessionId }) => {
    const rows = await listSessions(app.db, account.id);
    return { sessions: await Promise.all(rows.map((row) => sessionAnswer(row, sessionId))) };
  });

  const endingOthers = {
    config: ending,
    schema: { operationId: 'endOtherSessions', summary: 'End all other sessions', response: { 200: SessionsEnded } },
  };
  app.delete('/sessions', endingOthers, async (request) => {
    const ended = await app.db.transaction(async (tx) => {
      const count = await endOtherSessions(tx, request.account.id, request.sessionId);
      if (count > 0) await note(tx, { action: 'sessions.ended', actor: actorOf(request), details: { ended: count } });
      return count;
    });
    return { ended };
  });

  const endingOne = {
    config: { ...ending, ...refuses(NotFound) },
    schema: {
      operationId: 'endSession',
      summary: 'End a session',
      params: Type.Object({ id: Type.String() }),
      response: { 204: Type.Null() },
    },
  };
  app.delete('/sessions/:id', endingOne, async (request, reply) => {
    const { account, params } = request;
    await app.db.transaction(async (tx) => {
      const ended = isUuid(params.id) && (await endSession(tx, account.id, params.id));
      if (!ended) throw new NotFound('There is no such session. It may have ended already.');
      await note(tx, { action: 'sessions.ended', actor: actorOf(request), details: { ended: 1 } });
    });
    return reply.code(204).send(null);
  });
};
