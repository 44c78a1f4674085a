/** How many uploads may be at work at once: decided before a byte of the body is read, since what is read has to be kept. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { serverBusy } from '../errors.ts';
import { addressKey, networkKey } from '../http/limits/address.ts';
import { onResponseEnd } from '../http/on-response-end.ts';
import type { Reserve } from '../storage/reserve/reserve.ts';

export type AdmissionLimits = {
  /** Upload requests of one account. */
  perAccount: number;
  /** Of one address, whatever the accounts: they cost a registration each, addresses cost more. */
  perAddress: number;
  /** Of one /48 of IPv6, which holds many addresses. */
  perNetwork: number;
  /** Upload requests of all. */
  inAll: number;
  /** Pictures received and not decoded yet, at which no further request is let in. */
  pictures: number;
};

/**
 * A page has three requests under way at most, of a hundred pictures together; two thousand are a minute's work or so. One
 * that comes slowly holds some 200 kB and its place for as long as it takes, so no address has more than a quarter of them.
 */
export const defaultAdmission: AdmissionLimits = {
  perAccount: 64,
  perAddress: 128,
  perNetwork: 256,
  inAll: 512,
  pictures: 2000,
};

/** One process's part of it, where several share a machine; nobody's own bound is divided, since all his calls may meet in one. */
export const admissionOf = (part: (whole: number) => number): AdmissionLimits => ({
  ...defaultAdmission,
  inAll: part(defaultAdmission.inAll),
  pictures: part(defaultAdmission.pictures),
});

export type Admission = ReturnType<typeof createAdmission>;

/** How many uploads somebody has at once. */
function createShare(most: number) {
  const counts = new Map<string, number>();
  return {
    isUsedUp: (key: string): boolean => (counts.get(key) ?? 0) >= most,
    enter: (key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1),
    leave(key: string): void {
      const left = (counts.get(key) ?? 1) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    },
  };
}

type Parts = {
  limits: AdmissionLimits;
  /** Of the disk that the database is on. */
  reserve: Reserve;
  /** Bytes for which there must be room where an upload does not announce its length. */
  maxBytes: number;
  /** Pictures that wait for a decoder or are being decoded. */
  pending: () => number;
};

export function createAdmission({ limits, reserve, maxBytes, pending }: Parts) {
  const accounts = createShare(limits.perAccount);
  const addresses = createShare(limits.perAddress);
  const networks = createShare(limits.perNetwork);
  let inAll = 0;

  return {
    /**
     * A route's onRequest, behind the guard.
     * @throws ServerBusy, NoSpace
     */
    async enter(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const account = request.account.id;
      const address = addressKey(request.ip);
      const network = networkKey(request.ip);
      const isNetworkUsedUp = network !== undefined && networks.isUsedUp(network);
      if (accounts.isUsedUp(account) || addresses.isUsedUp(address) || isNetworkUsedUp || inAll >= limits.inAll) {
        throw serverBusy(5);
      }
      if (pending() >= limits.pictures) throw serverBusy(15);
      inAll += 1;
      accounts.enter(account);
      addresses.enter(address);
      if (network !== undefined) networks.enter(network);
      onResponseEnd(reply.raw, () => {
        inAll -= 1;
        accounts.leave(account);
        addresses.leave(address);
        if (network !== undefined) networks.leave(network);
      });
      const { 'content-length': length } = request.headers;
      await reserve.admit(length === undefined ? maxBytes : Number(length));
    },
  };
}
