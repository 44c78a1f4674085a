/** Request ids, from a trusted proxy or random, which connect the log lines of one request. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { membership } from './networks.ts';

export const requestIdHeader = 'x-request-id';

/** Short and without characters that are special in log lines and headers. */
const form = /^[\w.:=+/-]{1,128}$/;

/** For Fastify's `genReqId`. @param proxies trusted proxies */
export function requestIds(proxies: readonly string[] | undefined): (raw: IncomingMessage) => string {
  if (proxies === undefined) return () => randomUUID();
  const isProxy = membership(proxies);
  return ({ headers, socket }) => {
    const sent = headers[requestIdHeader];
    const believed = typeof sent === 'string' && form.test(sent) && isProxy(socket.remoteAddress ?? '');
    return believed ? sent : randomUUID();
  };
}
