/**
 * The shortest way to what is in memory: an answer that was given once is given again, its head ready made, to whoever
 * asks for it in the plainest way. Everything else (HEAD, ranges, a body, an origin, what a proxy says, a connection that
 * closes, a stop, pressure) goes through the framework and its hooks, which made that first answer.
 *
 * Node's own head of twenty lines and its three writes cost more than all the rest of such a request; so the head and the
 * bytes are one buffer here, written to the socket at once, and Node's response is told that it has been sent.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyBaseLogger } from 'fastify';
import { hostForm } from '../http/host.ts';
import { onResponseEnd } from '../http/on-response-end.ts';
import { requestIdHeader } from '../http/request-id.ts';
import type { CachedLinks, CachedRendition } from '../images/links/cached-links.ts';
import { withoutLinkKey } from '../images/links/link-paths.ts';
import { hasTag } from './streaming/send-bytes.ts';

/** One answer as it goes over the wire. */
type Wire = {
  status: 200 | 304;
  buffer: Buffer;
  /** Where the date stands in it, and which second it says. */
  dateAt: number;
  second: number;
  /** Where the id of the call stands. */
  idAt: number;
  /** How many are reading the buffer yet: meanwhile nothing in it may change. */
  lent: number;
  tally: Tally;
};

/** How often an answer was given. */
export type Tally = { count: number };

const statusLines = { 200: 'HTTP/1.1 200 OK', 304: 'HTTP/1.1 304 Not Modified' };
const dateLength = new Date(0).toUTCString().length;
const idLength = randomUUID().length;

type Sent = { _header?: string; _headerSent?: boolean };

/** Headers with which a call is not plain; what proxies say only where one is believed. */
const unusual = [
  'content-length',
  'transfer-encoding',
  'expect',
  'upgrade',
  'range',
  'origin',
  'if-range',
  'access-control-request-method',
];
const ofProxies = [requestIdHeader, 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'forwarded'];

type Parts = {
  links: Pick<CachedLinks, 'rendition'>;
  /** Whether calls are taken now. */
  hasRoom: () => boolean;
  /** Milliseconds that a connection is kept between two calls, as the server announces it. */
  keepAlive: number;
  /** Whether a proxy is believed. */
  behindProxy: boolean;
  /** Told of an answer that the system could not take at once: somebody has to watch over its end. */
  onUnfinished: (response: ServerResponse) => void;
  /** Where answers of a route are counted: a number that grows costs nothing. */
  tallyOf?: (route: string, status: number) => Tally;
  /** Told of each answer; undefined where such lines are not written. */
  log: Pick<FastifyBaseLogger, 'info'> | undefined;
};

/** `headers`: all of them, as they were sent to a plain call. `route`: its template. */
type Answer = { status: number; headers: OutgoingHttpHeaders; route: string };

export type HotLinks = ReturnType<typeof createHotLinks>;

export function createHotLinks({ links, hasRoom, keepAlive, behindProxy, onUnfinished, tallyOf, log }: Parts) {
  const avoided = new Set(behindProxy ? [...unusual, ...ofProxies] : unusual);
  const wires = new WeakMap<CachedRendition, Partial<Record<Wire['status'], Wire>>>();

  /** @returns undefined for a call that is not plain, else the tags that its sender knows */
  function tagsOf({ rawHeaders }: IncomingMessage): string | undefined {
    let hosts = 0;
    let tags = '';
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const name = (rawHeaders[at] ?? '').toLowerCase();
      const value = rawHeaders[at + 1] ?? '';
      if (name === 'host') {
        hosts += 1;
        if (!hostForm.test(value)) return undefined;
      } else if (name === 'if-none-match') {
        if (tags !== '') return undefined;
        tags = value;
      } else if (avoided.has(name)) return undefined;
    }
    return hosts === 1 ? tags : undefined;
  }

  function makeWire(status: Wire['status'], headers: OutgoingHttpHeaders, body: Buffer | undefined) {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const first = `${statusLines[status]}\r\n${lines.join('')}${requestIdHeader}: `;
    const before = `${first}${' '.repeat(idLength)}\r\nDate: `;
    const after = `\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(keepAlive / 1000)}\r\n\r\n`;
    const head = Buffer.from(`${before}${' '.repeat(dateLength)}${after}`, 'latin1');
    const buffer = Buffer.allocUnsafeSlow(head.length + (body?.length ?? 0));
    head.copy(buffer);
    body?.copy(buffer, head.length);
    return { status, buffer, dateAt: before.length, second: 0, idAt: first.length, lent: 0 };
  }

  /** One copy of the bytes serves both ways. */
  function share(rendition: CachedRendition, { buffer }: Wire): void {
    rendition.bytes = buffer.subarray(buffer.length - rendition.bytes.length);
  }

  /** What differs from answer to answer. */
  function setHead(wire: Wire, id: string): void {
    wire.buffer.write(id, wire.idAt, 'latin1');
    const second = Math.floor(Date.now() / 1000);
    if (wire.second === second) return;
    wire.second = second;
    wire.buffer.write(new Date(second * 1000).toUTCString(), wire.dateAt, 'latin1');
  }

  /** Node's response as if it had sent this itself: its properties `_header` and `_headerSent` say so. */
  function send(response: ServerResponse & Sent, socket: Socket, { status, buffer }: Wire): void {
    response.statusCode = status;
    response._header = '\r\n';
    response._headerSent = true;
    socket.write(buffer);
    response.end();
  }

  return {
    /** @returns whether the call was answered here */
    answer(request: IncomingMessage, response: ServerResponse): boolean {
      const { method, url = '' } = request;
      if (method !== 'GET' || !url.startsWith('/i/')) return false;
      const rendition = links.rendition(url.slice(3));
      const known = rendition && wires.get(rendition);
      if (!rendition || !known) return false;
      const tags = tagsOf(request);
      if (tags === undefined || !response.shouldKeepAlive || !hasRoom()) return false;
      const wire = known[tags !== '' && hasTag(tags, rendition.etag) ? 304 : 200];
      // Whoever has not taken the last answer yet may wait for the next one in the usual way.
      const { socket } = response;
      if (!wire || socket?.writableLength !== 0) return false;
      // Where somebody slow holds the buffer, the framework sends the same bytes, below a head of their own.
      if (wire.lent > 0) return false;
      const id = randomUUID();
      setHead(wire, id);
      if (log) {
        const began = performance.now();
        const ip = request.socket.remoteAddress;
        response.once('finish', () => {
          const ms = Math.round(performance.now() - began);
          const line = { reqId: id, method, path: withoutLinkKey(url), status: wire.status, ms, ip };
          log.info(line, 'answered');
        });
      }
      send(response, socket, wire);
      wire.tally.count += 1;
      if (socket.writableLength > 0) {
        wire.lent += 1;
        onResponseEnd(response, () => {
          wire.lent -= 1;
        });
        onUnfinished(response);
      }
      return true;
    },

    /**
     * Takes an answer of the framework as the one to be given from now on.
     */
    learn(rendition: CachedRendition, { status, headers, route }: Answer, request: IncomingMessage): void {
      if ((status !== 200 && status !== 304) || request.method !== 'GET' || tagsOf(request) === undefined) return;
      // What varies with the call is not for the next one; a plain call tells no origin.
      const { [requestIdHeader]: _id, ...plain } = headers;
      const { vary = 'Origin' } = plain;
      if (vary !== 'Origin' || Object.values(plain).some((value) => typeof value === 'object')) return;
      const known = wires.get(rendition) ?? {};
      if (known[status]) return;
      const made = makeWire(status, plain, status === 200 ? rendition.bytes : undefined);
      const wire = { ...made, tally: tallyOf?.(route, status) ?? { count: 0 } };
      if (status === 200) share(rendition, wire);
      wires.set(rendition, { ...known, [status]: wire });
    },
  };
}

/** Puts the short way before the server's own, which answers whatever is left. */
export function answerFirst(server: Server, { answer }: HotLinks): void {
  const others = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request').on('request', (request, response) => {
    if (answer(request, response)) return;
    for (const other of others) other.call(server, request, response);
  });
}
