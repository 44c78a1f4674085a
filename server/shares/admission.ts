/** Who may see a share. Every public route asks here, for each request. */
import type { FastifyRequest } from 'fastify';
import type { ClientDatabase } from '../database/connect.ts';
import { NotFound, ShareEnded } from '../errors.ts';
import { hasEnded } from '../images/expiry/expiry.ts';
import { addressOf } from './addresses.ts';
import type { ShareCookies } from './cookie.ts';
import { type FoundShare, findShare } from './public-queries.ts';

export const nothingShared = () =>
  new NotFound('There is nothing at this link. It may have been copied incompletely. Ask the person who sent it.');

export type Admission = ReturnType<typeof createAdmission>;

export function createAdmission(db: ClientDatabase, cookies: ShareCookies) {
  /** @returns undefined also for a text that is no address */
  async function find(text: string): Promise<FoundShare | undefined> {
    const address = addressOf(text);
    return address && findShare(db, address);
  }

  /** @throws NotFound, ShareEnded */
  async function findOpen(text: string): Promise<FoundShare> {
    const share = await find(text);
    if (!share) throw nothingShared();
    if (hasEnded(share.end)) throw new ShareEnded();
    return share;
  }

  const isAdmitted = (request: FastifyRequest, share: FoundShare): boolean =>
    share.passwordHash === null || cookies.isValid(request, share);

  return {
    find,
    findOpen,
    isAdmitted,

    /** For everything below the page: without the password it does not exist. @throws NotFound, ShareEnded */
    async admit(request: FastifyRequest, text: string): Promise<FoundShare> {
      const share = await findOpen(text);
      if (!isAdmitted(request, share)) throw nothingShared();
      return share;
    },
  };
}
