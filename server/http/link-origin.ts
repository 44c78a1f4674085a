import type { FastifyRequest } from 'fastify';
import { InvalidRequest } from '../errors.ts';

/** The origin of links; http/host.ts has validated the host. @throws InvalidRequest if the request has no host */
export function linkOrigin(request: FastifyRequest, publicUrl: string | undefined): string {
  if (publicUrl) return publicUrl;
  if (request.host === '') throw new InvalidRequest('The Host header is missing.');
  return `${request.protocol}://${request.host}`;
}

type Origins = { publicUrl: string | undefined; cdnUrl: string | undefined };

/** The origin of links to pictures: the CDN, if there is one. */
export const pictureOrigin = (request: FastifyRequest, { publicUrl, cdnUrl }: Origins): string =>
  cdnUrl ?? linkOrigin(request, publicUrl);
