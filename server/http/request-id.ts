/** By which a call is found again in the logs of all that it went through: a believed proxy's, or one made here. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { membership } from './networks.ts';

export const requestIdHeader = 'x-request-id';

/** It stands in log lines and headers: short, and nothing that means something there. */
const form = /^[\w.:=+/-]{1,128}$/;

/** For Fastify's `genReqId`. @param proxies those that are believed */
export function requestIds(proxies: readonly string[] | undefined): (raw: IncomingMessage) => string {
  if (proxies === undefined) return () => randomUUID();
  const isProxy = membership(proxies);
  return ({ headers, socket }) => {
    const sent = headers[requestIdHeader];
    const believed = typeof sent === 'string' && form.test(sent) && isProxy(socket.remoteAddress ?? '');
    return believed ? sent : randomUUID();
  };
}
