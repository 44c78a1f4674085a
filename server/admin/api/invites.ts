/** Invitations, for administrators. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { validate as isUuid } from 'uuid';
import type { InviteRow } from '../../../drizzle/schema.ts';
import { actorOf, note } from '../../audit/note.ts';
import { assertInvite } from '../../auth/invites/assert-invites.ts';
import { inviteMail } from '../../auth/invites/mail-text.ts';
import { endInvite, insertInvite, inviteLink, listInvites } from '../../auth/invites/queries.ts';
import type { Config } from '../../config/config.ts';
import { CreatedInvite, type Invite, InviteList, NewInvite } from '../../contract.ts';
import { InvalidRequest, InvitesClosed, NotFound } from '../../errors.ts';
import { ignoreBodies } from '../../http/ignore-bodies.ts';
import { linkOrigin } from '../../http/link-origin.ts';
import { refuses } from '../../http/openapi/refusals.ts';
import { forAdmins } from '../../http/scopes.ts';
import { durationWithin, INVITE_LIFETIME } from '../../lib/duration.ts';
import { oneLine } from '../../lib/one-line.ts';
import type { Outbox } from '../../mail/outbox.ts';
import { changing } from './requests.ts';

const inviteAnswer = (row: InviteRow): Invite => ({
  id: row.id,
  name: row.name,
  email: row.email,
  max_uses: row.maxUses,
  uses: row.uses,
  quota_images: row.quotaImages,
  quota_bytes: row.quotaBytes,
  created_at: row.createdAt.toISOString(),
  expires_at: row.expiresAt?.toISOString() ?? null,
  usable: row.uses < row.maxUses && (row.expiresAt === null || row.expiresAt.getTime() > Date.now()),
});

/** @throws InvalidRequest */
function readInvite({ name: sent, email, max_uses: maxUses = 1, expires_in: lasts = '7d', ...quota }: NewInvite) {
  const name = oneLine(sent);
  if (name === '') throw new InvalidRequest('The invitation needs a name, for you to recognize it.');
  const expiresAt = lasts === null ? null : new Date(Date.now() + durationWithin('expires_in', lasts, INVITE_LIFETIME));
  const { quota_images: quotaImages = null, quota_bytes: quotaBytes = null } = quota;
  return { name, email: email ?? null, maxUses, quotaImages, quotaBytes, expiresAt };
}

type Options = {
  config: Config;
  /** Undefined where the server sends no mail. */
  outbox: Outbox | undefined;
};

export const invitesRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { config, outbox }) => {
  const listing = {
    config: forAdmins,
    schema: { operationId: 'listInvites', summary: 'List the invitations', response: { 200: InviteList } },
  };
  app.get('/', listing, async () => ({ invites: (await listInvites(app.db)).map(inviteAnswer) }));

  const creating = {
    config: { ...changing, ...refuses(InvitesClosed) },
    schema: {
      operationId: 'createInvite',
      summary: 'Create an invitation',
      body: NewInvite,
      response: { 201: CreatedInvite },
    },
  };
  app.post('/', creating, async (request, reply) => {
    const { body } = request;
    const invite = readInvite(body);
    assertInvite(config, invite);
    const { row, secret } = await app.db.transaction(async (tx) => {
      const made = await insertInvite(tx, invite);
      const details = { invite: made.row.name, email: made.row.email, uses: made.row.maxUses };
      await note(tx, { action: 'invite.created', actor: actorOf(request), details });
      return made;
    });
    const origin = linkOrigin(request, config.publicUrl);
    const link = inviteLink(origin, secret);
    const { email } = row;
    const isMailed = email !== null && outbox !== undefined && !outbox.isFull();
    if (isMailed) {
      const mail = inviteMail(body.language ?? 'en', { origin, link });
      outbox.send('an invitation', async () => ({ to: email, mail }));
    }
    return reply.code(201).send({ invite: inviteAnswer(row), url: link, mailed: isMailed });
  });

  await app.register(async (scope) => {
    ignoreBodies(scope);
    const ending = {
      config: { ...changing, ...refuses(NotFound) },
      schema: {
        operationId: 'endInvite',
        summary: 'End an invitation',
        params: Type.Object({ id: Type.String() }),
        response: { 204: Type.Null() },
      },
    };
    scope.delete<{ Params: { id: string } }>('/:id', ending, async (request, reply) => {
      const { id } = request.params;
      await app.db.transaction(async (tx) => {
        const row = isUuid(id) ? await endInvite(tx, id) : undefined;
        if (!row) throw new NotFound('There is no such invitation. It may have ended already.');
        await note(tx, { action: 'invite.ended', actor: actorOf(request), details: { invite: row.name } });
      });
      return reply.code(204).send(null);
    });
  });
};
