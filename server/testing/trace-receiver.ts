/** A collector that accepts traces over OTLP/HTTP as JSON and keeps them. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Test } from 'tap';

type Value = { stringValue?: string; intValue?: number | string; boolValue?: boolean };
type Attribute = { key: string; value: Value };
export type SentSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: Attribute[];
  status?: { code?: number; message?: string };
};
type Batch = {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: SentSpan[] }[] }[];
};

type Receiver = {
  url: string;
  spans(): SentSpan[];
  resource(): Record<string, unknown>;
  /** All received bytes. */
  raw(): Buffer;
  requests: { path: string; type: string }[];
};

export const attributesOf = (attributes: Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

export async function openReceiver(t: Test): Promise<Receiver> {
  const bodies: Buffer[] = [];
  const requests: Receiver['requests'] = [];
  const server = createServer(async (request, response) => {
    bodies.push(await buffer(request));
    requests.push({ path: request.url ?? '', type: request.headers['content-type'] ?? '' });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const batches = () =>
    requests.flatMap(({ type }, index) =>
      type.startsWith('application/json') ? (JSON.parse(String(bodies[index])) as Batch).resourceSpans : [],
    );
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => batches().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    resource: () => attributesOf(batches()[0]?.resource.attributes ?? []),
    raw: () => Buffer.concat(bodies),
    requests,
  };
}
