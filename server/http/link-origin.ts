import type { FastifyRequest } from 'fastify';
import { InvalidRequest } from '../errors.ts';

/** @returns the origin of the links handed out; its host was looked at by http/host.ts @throws InvalidRequest where there is none */
export function linkOrigin(request: FastifyRequest, publicUrl: string | undefined): string {
  if (publicUrl) return publicUrl;
  if (request.host === '') throw new InvalidRequest('The Host header is missing.');
  return `${request.protocol}://${request.host}`;
}

type Origins = { publicUrl: string | undefined; cdnUrl: string | undefined };

/** The origin of links to pictures: that of a cache in front of the server, where there is one. */
export const pictureOrigin = (request: FastifyRequest, { publicUrl, cdnUrl }: Origins): string =>
  cdnUrl ?? linkOrigin(request, publicUrl);
