/** Requests that go out as they are written: no path is tidied, no header is added or left out. */
import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
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
  /** The address that it comes from: any of 127.0.0.0/8, on Linux. */
  from?: string;
  /** Connections other than those of all calls, which are 100 at most. */
  agent?: Agent;
};

const defaultAgent = new Agent({ keepAlive: true, maxSockets: 100 });

export function call(
  origin: string,
  path: string,
  { method = 'GET', headers = {}, body, from, agent = defaultAgent }: Call = {},
) {
  const { hostname, port } = new URL(origin);
  const lengths = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const options = { hostname, port, path, method, headers: { ...lengths, ...headers }, agent, localAddress: from };
  return new Promise<Answer>((resolve, reject) => {
    const sent = request(options, (response) => {
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

/** What no answer may tell: a stack, a path of the server, SQL, a library's name. */
const leaks =
  /node_modules|\n\s+at |\.[cm]?[jt]s:\d+|\b(?:select|insert into|delete from|update) .*(?:from|values|where|set)\b|drizzle|postgres|fastify|libvips|sharp|\/(?:home|work|tmp|usr|etc|var)\//i;

export const leakIn = ({ body }: Pick<Answer, 'body'>): string | undefined => leaks.exec(body.slice(0, 20_000))?.[0];

export function noLeak(t: Test, answer: Answer, about: string): void {
  const { headers } = answer;
  t.equal(leakIn(answer), undefined, `${about}: tells nothing of the inside`);
  t.notOk(headers['x-powered-by'] ?? headers.server, `${about}: names no software`);
}

/** A refusal in the form of all refusals, with this status, that tells nothing of the inside. */
export function refused(t: Test, answer: Answer, status: number | number[], about: string): void {
  const expected = [status].flat();
  t.ok(expected.includes(answer.status), `${about}: ${answer.status}, expected ${expected.join(' or ')}`);
  noLeak(t, answer, about);
}
