/** How many uploads may be at work at once: decided before a byte of the body is read, since what is read has to be kept. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { serverBusy } from '../errors.ts';
import type { DecoderPool } from './decoder/pool.ts';

export type AdmissionLimits = {
  /** Upload requests of one account. */
  perAccount: number;
  /** Upload requests of all. */
  inAll: number;
  /** Pictures received and not decoded yet, at which no further request is let in. */
  pictures: number;
};

/** A page has three requests under way at most, of a hundred pictures together; two thousand are a minute's work or so. */
export const usualAdmission: AdmissionLimits = { perAccount: 64, inAll: 256, pictures: 2000 };

export type Admission = ReturnType<typeof createAdmission>;

export function createAdmission(limits: AdmissionLimits) {
  const uploads = new Map<string, number>();
  let inAll = 0;
  let pictures = 0;

  function leave(account: string): void {
    inAll -= 1;
    const left = (uploads.get(account) ?? 1) - 1;
    if (left > 0) uploads.set(account, left);
    else uploads.delete(account);
  }

  return {
    /**
     * A route's onRequest, behind the guard.
     * @throws ServerBusy
     */
    async enter(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const account = request.account.id;
      const own = uploads.get(account) ?? 0;
      if (own >= limits.perAccount || inAll >= limits.inAll) throw serverBusy(5);
      if (pictures >= limits.pictures) throw serverBusy(15);
      // While the session was looked up, the client may have left: then no further event tells.
      if (request.raw.destroyed) return;
      inAll += 1;
      uploads.set(account, own + 1);
      reply.raw.once('close', () => leave(account));
    },

    /** The same decoder, its unanswered pictures counted. */
    count(decoder: DecoderPool): DecoderPool {
      return {
        ...decoder,
        async decode(path, options) {
          pictures += 1;
          try {
            return await decoder.decode(path, options);
          } finally {
            pictures -= 1;
          }
        },
      };
    },
  };
}
