/** Limits concurrent uploads, and the pictures that wait for a decoder. Each limit for all has a part for each client. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { serverBusy } from '../errors.ts';
import { clientKey } from '../http/limits/address.ts';
import { onResponseEnd } from '../http/on-response-end.ts';
import { createKeyedLimit } from '../lib/keyed-mutex.ts';
import type { Reserve } from '../storage/reserve/reserve.ts';

export type AdmissionLimits = {
  /** Also for all guests of a collect link together. */
  perAccount: number;
  /** For all accounts of an address or an IPv6 /48: accounts are cheaper than addresses. */
  perAddress: number;
  inAll: number;
  /** Pictures that wait for a decoder or are being decoded, at which further requests are refused. */
  pictures: number;
};

const quarterOf = (whole: number): number => Math.max(1, Math.floor(whole / 4));

/** A page sends three requests at once. A slow upload holds 200 kB and its slot, so a client gets at most a quarter. */
export const defaultAdmission: AdmissionLimits = { perAccount: 64, perAddress: 128, inAll: 512, pictures: 2000 };

/** The limits of one of several processes, which may get all calls of a client. */
export function admissionOf(part: (whole: number) => number): AdmissionLimits {
  const { perAccount, perAddress, ...whole } = defaultAdmission;
  const inAll = part(whole.inAll);
  const quarter = quarterOf(inAll);
  return {
    perAccount: Math.min(perAccount, quarter),
    perAddress: Math.min(perAddress, quarter),
    inAll,
    pictures: part(whole.pictures),
  };
}

/** Whose part an upload uses. */
export type Client = {
  /** The account, or the collect link of a guest: guests leave the part of the link's owner free. */
  account: string;
  /** By `clientKey`. */
  address: string;
};

export const clientOf = ({ access: { guest, ownerId }, ip }: FastifyRequest): Client => ({
  account: guest?.linkId ?? ownerId,
  address: clientKey(ip),
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

/** The parts in the pictures that wait: a quarter for an account or an address, and half of it for both, which leaves room for others of either. */
function createPictures(max: number) {
  const most = quarterOf(max);
  const both = createKeyedLimit(Math.ceil(most / 2));
  const accounts = createKeyedLimit(most);
  const addresses = createKeyedLimit(most);
  const bothOf = ({ account, address }: Client) => `${account} ${address}`;
  return {
    isUsedUp: (client: Client): boolean =>
      both.inside(bothOf(client)) >= most ||
      accounts.inside(client.account) >= most ||
      addresses.inside(client.address) >= most,
    /** Pictures beyond a part wait outside of the limit for all. */
    within: <T>(client: Client, work: () => Promise<T>): Promise<T> =>
      both(bothOf(client), () => accounts(client.account, () => addresses(client.address, work))),
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
  const pictures = createPictures(limits.pictures);
  let inAll = 0;

  return {
    /** A route's onRequest hook, after the guard. @throws ServerBusy, NoSpace */
    async enter(request: FastifyRequest, reply: FastifyReply): Promise<void> {
      const client = clientOf(request);
      const { account, address } = client;
      if (accounts.isUsedUp(account) || addresses.isUsedUp(address) || inAll >= limits.inAll) throw serverBusy(5);
      if (pictures.isUsedUp(client) || pending() >= limits.pictures) throw serverBusy(15);
      inAll += 1;
      accounts.enter(account);
      addresses.enter(address);
      onResponseEnd(reply.raw, () => {
        inAll -= 1;
        accounts.leave(account);
        addresses.leave(address);
      });
      const { 'content-length': length } = request.headers;
      await reserve.admit(length === undefined ? maxBytes : Number(length));
    },

    /** Decodes a picture when it is the client's turn. */
    inPart: pictures.within,
  };
}
