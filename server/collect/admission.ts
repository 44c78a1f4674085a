/** Who may do what by a collect link. Every guest route asks here, for each request. */
import type { FastifyRequest } from 'fastify';
import type { ClientDatabase } from '../database/connect.ts';
import type { Guest } from '../database/statements/access.ts';
import { CollectEnded, GuestNeeded, NotFound } from '../errors.ts';
import { hasEnded } from '../images/expiry/expiry.ts';
import type { GuestCookies } from './cookie.ts';
import { type FoundGuest, type FoundLink, findLink } from './public-queries.ts';

const keyForm = /^[\w-]{22}$/;

export const nothingCollected = () =>
  new NotFound('There is nothing at this link. It may have been copied incompletely. Ask the person who sent it.');

export type Found = { link: FoundLink; guest: FoundGuest | undefined };
export type Admitted = { link: FoundLink; guest: FoundGuest };

export type Admission = ReturnType<typeof createAdmission>;

export function createAdmission(db: ClientDatabase, cookies: GuestCookies) {
  /** @throws NotFound */
  async function look(request: FastifyRequest, key: string): Promise<Found> {
    const found = keyForm.test(key) ? await findLink(db, key, cookies.hashOf(request)) : undefined;
    if (!found) throw nothingCollected();
    return found;
  }

  /** The guest may have given an earlier password. @throws NotFound, CollectEnded */
  async function find(request: FastifyRequest, key: string): Promise<Found> {
    const found = await look(request, key);
    if (hasEnded(found.link.end)) throw new CollectEnded();
    return found;
  }

  /** Whether the present password was given, or none is needed. */
  const isAdmitted = ({ link, guest }: Found): boolean =>
    link.passwordHash === null || guest?.passwordVersion === link.passwordVersion;

  const isGuest = (found: Found): found is Admitted =>
    found.guest !== undefined && isAdmitted(found) && (!found.link.asksName || found.guest.name !== null);

  /** Whether it is a guest who sees and removes own images: as long as the cookie lives, also after the end. */
  const isKnown = (found: Found): found is Admitted =>
    found.guest !== undefined && (hasEnded(found.link.end) || isGuest(found));

  /** For what anyone with the link may see. @throws CollectEnded, GuestNeeded before the password */
  function assertSees(found: Found): void {
    if (hasEnded(found.link.end)) throw new CollectEnded();
    if (!isAdmitted(found)) throw new GuestNeeded();
  }

  return {
    look,
    find,
    assertSees,

    /** For the album. @throws NotFound, CollectEnded, GuestNeeded before the password */
    async see(request: FastifyRequest, key: string): Promise<Found> {
      const found = await look(request, key);
      assertSees(found);
      return found;
    },

    /** For what only guests may do. @throws NotFound, CollectEnded, GuestNeeded */
    async admit(request: FastifyRequest, key: string): Promise<Admitted> {
      const found = await find(request, key);
      if (!isGuest(found)) throw new GuestNeeded();
      return found;
    },

    /** For the guest's own images. @throws NotFound, CollectEnded, GuestNeeded */
    async know(request: FastifyRequest, key: string): Promise<Admitted> {
      const found = await look(request, key);
      if (isKnown(found)) return found;
      throw hasEnded(found.link.end) ? new CollectEnded() : new GuestNeeded();
    },

    isKnown,
    isAdmitted,
    isGuest,
  };
}

/** What a guest reaches in the rooms below: uploads of their own, and nothing that exists. */
export const accessOf = ({ link, guest }: Admitted) => ({
  ownerId: link.ownerId,
  tokenId: null,
  scopes: [],
  albumId: null,
  imagesExpireIn: null,
  guest: { id: guest.id, linkId: link.id } satisfies Guest,
});
