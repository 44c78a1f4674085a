/** HTTP calls to the server: one exchange, and calls with retries. Uses node:http, because fetch reports no upload progress. */
import http, { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { userAgent } from '../version.ts';
import { Unreachable } from './refusal.ts';

export type Connection = {
  /** Without a slash at its end. */
  address: string;
  token: string;
  /** Called before each wait, with its reason. */
  onWait?: (text: string) => void;
};

export type Body = { length: number; open: () => Readable };

export type Call = {
  method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE';
  /** With the query. */
  path: string;
  headers?: Record<string, string>;
  body?: Body;
  /** Called with the number of bytes that have left since the last call. */
  onSent?: (bytes: number) => void;
};

export type Answer = { status: number; headers: IncomingHttpHeaders; body: string };

/** No answer: the connection failed or was lost. */
export class Lost extends Error {}

/** Milliseconds without a byte in either direction after which a connection counts as lost. Decoding takes up to a minute. */
const silence = 120_000;

const agents = {
  'http:': new http.Agent({ keepAlive: true }),
  'https:': new https.Agent({ keepAlive: true }),
};

async function read(response: IncomingMessage): Promise<string> {
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response) text += chunk;
  return text;
}

function begin({ address, token }: Connection, { method, path, headers, body }: Call): ClientRequest {
  const url = new URL(address + path);
  const options = {
    method,
    agent: url.protocol === 'https:' ? agents['https:'] : agents['http:'],
    timeout: silence,
    headers: {
      authorization: `Bearer ${token}`,
      'user-agent': userAgent,
      ...(body || method === 'POST' ? { 'content-length': String(body?.length ?? 0) } : {}),
      ...headers,
    },
  };
  return url.protocol === 'https:' ? https.request(url, options) : http.request(url, options);
}

/** What X.509 checks find (node:tls, "X509 certificate error codes"). */
const ofCertificates =
  /^(?:CERT_|(?:DEPTH_ZERO_)?SELF_SIGNED_CERT|UNABLE_TO_(?:GET_ISSUER|VERIFY)|ERR_TLS_CERT_ALTNAME)/;

/** A sentence if every further try would fail in the same way: another protocol at this port, or its certificate. */
function lastingFailure(address: string, { code = '', message }: NodeJS.ErrnoException): string | undefined {
  const { protocol, host, pathname } = new URL(address);
  const other = `${protocol === 'https:' ? 'http' : 'https'}://${host}${pathname.replace(/\/$/, '')}`;
  const isOther =
    protocol === 'https:'
      ? /wrong version number|packet length too long/i.test(message)
      : /^HPE_INVALID_CONSTANT$/.test(code);
  if (isOther) return `this port does not speak ${protocol.slice(0, -1)}. Try ${other}`;
  if (ofCertificates.test(code)) return `its certificate is not valid (${message})`;
  return undefined;
}

const meter = (onSent: (bytes: number) => void) =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      onSent(chunk.length);
      done(null, chunk);
    },
  });

/** Sends one request. @throws Lost, Unreachable; errors of reading the body */
export async function exchange(connection: Connection, call: Call): Promise<Answer> {
  const request = begin(connection, call);
  const source = call.body?.open();
  let broken: unknown;
  source?.once('error', (error) => {
    broken = error;
  });
  const answered = new Promise<Answer>((resolve, reject) => {
    request.once('timeout', () => request.destroy(new Error('the server did not answer')));
    request.on('error', reject);
    request.once('response', (response) => {
      const { statusCode: status = 0, headers } = response;
      read(response).then((body) => resolve({ status, headers, body }), reject);
    });
  });
  const sent = source ? pipeline(source, meter(call.onSent ?? (() => {})), request) : request.end();
  // An early answer, such as a refusal, ends the exchange before all bytes have left.
  Promise.resolve(sent).catch(() => undefined);
  try {
    return await answered;
  } catch (error) {
    if (broken) throw broken;
    const lasting = lastingFailure(connection.address, error as Error);
    if (lasting !== undefined) throw new Unreachable(connection.address, new Error(lasting, { cause: error }));
    throw new Lost((error as Error).message || 'the connection was lost', { cause: error });
  } finally {
    source?.destroy();
  }
}
