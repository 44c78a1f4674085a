/** What a collect link is, and how one becomes its guest. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import type { Config } from '../config/config.ts';
import { CollectPage, GuestEntry } from '../contract.ts';
import type { ClientDatabase } from '../database/connect.ts';
import {
  CollectEnded,
  ForeignOrigin,
  InvalidRequest,
  NotFound,
  TooManyGuests,
  TooManyRequests,
  WrongPassword,
} from '../errors.ts';
import { refuses } from '../http/openapi/refusals.ts';
import { withoutLogin } from '../http/scopes.ts';
import { leftOf } from '../ingest/guest-queries.ts';
import { oneLine } from '../lib/one-line.ts';
import { createPasswordCheck } from '../shares/password-check.ts';
import type { Admission, Found } from './admission.ts';
import type { GuestCookies } from './cookie.ts';
import { assertOrigin } from './guest-hooks.ts';
import { entering, KeyParams, looking } from './limits.ts';
import { changeGuest, collectedBy, type FoundLink, insertGuest } from './public-queries.ts';

type Options = { config: Config; admission: Admission; cookies: GuestCookies };

const longestName = 60;

/** @throws InvalidRequest */
function guestName(sent: string | undefined): string {
  const name = oneLine(sent ?? '');
  const length = Array.from(name).length;
  if (length === 0) throw new InvalidRequest('The field "name" is missing: the owner wants to know who adds pictures.');
  if (length > longestName) throw new InvalidRequest(`The field "name" has at most ${longestName} characters.`);
  return name;
}

/** What the link still accepts. */
async function limitsOf(db: ClientDatabase, config: Config, link: FoundLink): Promise<CollectPage['limits']> {
  const left = leftOf(await collectedBy(db, link));
  return {
    ...{ open: link.open, look_first: link.lookFirst, max_files: link.maxFiles, max_bytes: link.maxBytes },
    expires_at: Number.isFinite(link.end) ? new Date(link.end).toISOString() : null,
    ...{ files_left: Math.max(0, left.images), bytes_left: Math.max(0, left.bytes) },
    ...{ max_file_size: config.maxFileSize, max_files_at_once: config.maxFiles },
  };
}

export const entryRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { config, admission, cookies }) => {
  const isRight = createPasswordCheck(app.db, 'collect', { limited: config.rateLimit === 'on' });

  /** Before the password it shows nothing but the link's name. */
  async function pageOf(found: Found): Promise<CollectPage> {
    const { link, guest } = found;
    const isAdmitted = admission.isAdmitted(found);
    return {
      ...{ name: link.name, protected: link.passwordHash !== null, asks_name: link.asksName },
      is_guest: admission.isGuest(found),
      guest_name: (isAdmitted && guest?.name) || null,
      limits: isAdmitted ? await limitsOf(app.db, config, link) : null,
    };
  }

  app.get(
    '/link',
    {
      config: { ...looking, ...withoutLogin, ...refuses(NotFound, CollectEnded) },
      schema: {
        operationId: 'getCollectPage',
        summary: 'Read what a collect link allows',
        params: KeyParams,
        response: { 200: CollectPage },
      },
    },
    async (request) => pageOf(await admission.find(request, request.params.key)),
  );

  /** @throws WrongPassword, TooManyRequests */
  async function checkPassword(link: FoundLink, ip: string, password = ''): Promise<void> {
    if (link.passwordHash !== null && !(await isRight(link, password, ip))) throw new WrongPassword();
  }

  /** One who enters again stays the same guest, with the earlier name if the link asks for none now. */
  async function enter(request: FastifyRequest, reply: FastifyReply, { link, guest }: Found, name: string | null) {
    const { passwordVersion } = link;
    const entered = { id: guest?.id ?? uuidv7(), name: name ?? guest?.name ?? null, passwordVersion };
    if (guest) {
      await changeGuest(app.db, entered);
      cookies.send(request, reply, link.path);
    } else {
      const { token, tokenHash } = cookies.create();
      await insertGuest(app.db, { ...entered, linkId: link.id, tokenHash });
      cookies.send(request, reply, link.path, token);
    }
    return pageOf({ link, guest: entered });
  }

  app.post(
    '/guest',
    {
      bodyLimit: 4096,
      onRequest: async (request) => assertOrigin(app, request),
      config: {
        ...{ ...entering, ...withoutLogin },
        ...refuses(NotFound, CollectEnded, WrongPassword, TooManyGuests, TooManyRequests, ForeignOrigin),
      },
      schema: {
        operationId: 'enterCollectLink',
        summary: 'Become a guest of a collect link',
        params: KeyParams,
        body: GuestEntry,
        response: { 200: CollectPage },
      },
    },
    async (request, reply) => {
      const { key } = request.params;
      const { name, password } = request.body;
      const found = await admission.find(request, key);
      const given = found.link.asksName ? guestName(name) : null;
      await checkPassword(found.link, request.ip, password);
      // With the version of the password that was checked: a newer one asks again.
      return enter(request, reply, found, given);
    },
  );
};
