/** What the links of invitations and claims lead to. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { actorOf, note } from '../../audit/note.ts';
import type { Config } from '../../config/config.ts';
import { InviteOffer, LinkSecret, UserAnswer } from '../../contract.ts';
import { ClaimNotAccepted, InviteNotAccepted, RegistrationClosed } from '../../errors.ts';
import { perAddress } from '../../http/limits/rate-limit.ts';
import { refuses } from '../../http/openapi/refusals.ts';
import { sessionOnly, withoutLogin } from '../../http/scopes.ts';
import { hashToken } from '../../mail/token.ts';
import { claim, isClaim } from '../roles/queries.ts';
import { userAnswer } from '../user-answer.ts';
import { findInvite } from './queries.ts';

const hour = 3_600_000;

export const inviteRoutes: FastifyPluginAsyncTypebox<{ config: Config }> = async (app, { config }) => {
  const looking = {
    config: { ...perAddress('invite', 60, hour), ...withoutLogin, ...refuses(InviteNotAccepted, RegistrationClosed) },
    schema: {
      operationId: 'readInvite',
      summary: 'Read what an invitation allows',
      body: LinkSecret,
      response: { 200: InviteOffer },
    },
  };
  app.post('/invite', looking, async ({ body: { secret } }) => {
    if (await isClaim(app.db, config, secret)) return { email: null, makes_admin: true };
    if (config.registration === 'closed') throw new RegistrationClosed();
    const invite = await findInvite(app.db, secret);
    if (!invite) throw new InviteNotAccepted();
    return { email: invite.email, makes_admin: false };
  });

  const claiming = {
    onRequest: app.guard,
    config: { ...perAddress('invite', 60, hour), ...sessionOnly, ...refuses(ClaimNotAccepted) },
    schema: {
      operationId: 'claimAdmin',
      summary: 'Become the first administrator, with the link that the server printed or with SETUP_TOKEN',
      body: LinkSecret,
      response: { 200: UserAnswer },
    },
  };
  app.post('/claim', claiming, async (request) => {
    const { account, body } = request;
    await app.db.transaction(async (tx) => {
      const claimant = { userId: account.id, tokenHash: hashToken(body.secret) };
      if (!(await claim(tx, config, claimant))) throw new ClaimNotAccepted();
      await note(tx, { action: 'admin.claimed', actor: actorOf(request) });
    });
    return { user: userAnswer(account) };
  });
};
