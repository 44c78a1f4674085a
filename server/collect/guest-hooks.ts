import type { FastifyInstance, FastifyRequest } from 'fastify';
import { changesState } from '../auth/origin.ts';
import { ForeignOrigin } from '../errors.ts';
import { type Admission, type Admitted, accessOf } from './admission.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The link and its guest. Set by `guestGuard`. */
    collect: Admitted;
  }
}

export const keyOf = ({ params }: FastifyRequest) => (params as { key: string }).key;

/** Refuses calls from pages of other sites: the guest's cookie may come along. @throws ForeignOrigin */
export function assertOrigin({ accounts }: FastifyInstance, request: FastifyRequest): void {
  if (changesState(request) && !accounts.isFromAllowedOrigin(request)) throw new ForeignOrigin();
}

/**
 * A route's `onRequest`, as `app.guard` for accounts.
 * @param admits `know` for what a guest may still do after the end
 * @throws NotFound, CollectEnded, GuestNeeded, ForeignOrigin
 */
export const guestGuard =
  (app: FastifyInstance, admission: Admission, admits: 'admit' | 'know' = 'admit') =>
  async (request: FastifyRequest) => {
    assertOrigin(app, request);
    request.collect = await admission[admits](request, keyOf(request));
    request.access = accessOf(request.collect);
  };
