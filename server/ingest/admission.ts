/** Limits concurrent uploads. Checked before the body is read, because received bytes need space. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { serverBusy } from '../errors.ts';
import { addressKey, networkKey } from '../http/limits/address.ts';
import { onResponseEnd } from '../http/on-response-end.ts';
import type { Reserve } from '../storage/reserve/reserve.ts';

export type AdmissionLimits = {
  /** Also for all guests of a collect link together. */
  perAccount: number;
  /** For all accounts of an address: accounts are cheaper than addresses. */
  perAddress: number;
  /** For an IPv6 /48, which holds many addresses. */
  perNetwork: number;
  inAll: number;
  /** Pictures that wait for a decoder or are being decoded, at which further requests are refused. */
  pictures: number;
};

/** A page sends three requests at once. A slow upload holds 200 kB and its slot, so an address gets at most a quarter. */
export const defaultAdmission: AdmissionLimits = {
  perAccount: 64,
  perAddress: 128,
  perNetwork: 256,
  inAll: 512,
  pictures: 2000,
};

/** The limits of one of several processes. Limits of a client stay whole, because one process may get all its calls. */
export const admissionOf = (part: (whole: number) => number): AdmissionLimits => ({
  ...defaultAdmission,
  inAll: part(defaultAdmission.inAll),
  pictures: part(defaultAdmission.pictures),
});

export type Admission = ReturnType<typeof createAdmission>;

function createShare(max: number) {
  const counts = new Map<string, number>();
  return {
    isUsedUp: (key: string): boolean => (counts.get(key) ?? 0) >= max,
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
  /** Reserved space on the disk of the database. */
  reserve: Reserve;
  /** Bytes that must be free for an upload without Content-Length. */
  maxBytes: number;
  pending: () => number;
};

export function createAdmission({ limits, reserve, maxBytes, pending }: Parts) {
  const accounts = createShare(limits.perAccount);
  const addresses = createShare(limits.perAddress);
  const networks = createShare(limits.perNetwork);
  let inAll = 0;

  return {
    /** A route's onRequest hook, after the guard. @throws ServerBusy, NoSpace */
    async enter(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const { guest, ownerId } = request.access;
      // Guests leave the owner's share free.
      const account = guest?.linkId ?? ownerId;
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
