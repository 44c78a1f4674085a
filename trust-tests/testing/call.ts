/** Sends requests exactly as written: paths and headers are not normalized. */
import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import { request as requestTls, Agent as TlsAgent } from 'node:https';
import type { Test } from 'tap';

export type Answer = {
  status: number;
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
  bytes: Buffer;
  body: string;
};

export type Call = {
  method?: string;
  headers?: OutgoingHttpHeaders;
  body?: string | Uint8Array;
  /** The client's address: any of 127.0.0.0/8, on Linux. */
  from?: string;
  /** Replaces the shared agent, which has at most 100 connections. */
  agent?: Agent;
};

const pooled = { keepAlive: true, maxSockets: 100 };
const defaultAgent = new Agent(pooled);
/** Accepts the certificate that a proxy has made itself. */
const tlsAgent = new TlsAgent({ ...pooled, rejectUnauthorized: false });

export function call(origin: string, path: string, { method = 'GET', headers = {}, body, from, agent }: Call = {}) {
  const { protocol, hostname, port } = new URL(origin);
  const [send, usual] = protocol === 'https:' ? [requestTls, tlsAgent] : [request, defaultAgent];
  const lengths = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const fields = { ...lengths, ...headers };
  const options = { hostname, port, path, method, headers: fields, agent: agent ?? usual, localAddress: from };
  return new Promise<Answer>((resolve, reject) => {
    const sent = send(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', reject);
      response.on('end', () => {
        const bytes = Buffer.concat(chunks);
        const { statusCode: status = 0, headers, rawHeaders } = response;
        resolve({ status, headers, rawHeaders, bytes, body: bytes.toString() });
      });
    });
    sent.on('error', reject).end(body);
  });
}

export const asJson = (value: unknown): Call => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

/** What no answer may reveal: a stack, a path of the server, SQL, a library's name. */
const leaks =
  /node_modules|\n\s+at |\.[cm]?[jt]s:\d+|\b(?:select|insert into|delete from|update) .*(?:from|values|where|set)\b|drizzle|postgres|fastify|libvips|sharp|\/(?:home|work|tmp|usr|etc|var)\//i;

export const leakIn = ({ body }: Pick<Answer, 'body'>): string | undefined => leaks.exec(body.slice(0, 20_000))?.[0];

export function noLeak(t: Test, answer: Answer, about: string): void {
  const { headers } = answer;
  t.equal(leakIn(answer), undefined, `${about}: reveals no internals`);
  t.notOk(headers['x-powered-by'] ?? headers.server, `${about}: does not name the software`);
}

/** Checks that an answer has this status and reveals no internals. */
export function refused(t: Test, answer: Answer, status: number | number[], about: string): void {
  const expected = [status].flat();
  t.ok(expected.includes(answer.status), `${about}: ${answer.status}, expected ${expected.join(' or ')}`);
  noLeak(t, answer, about);
}
