/** OTEL_EXPORTER_OTLP_ENDPOINT: traces of a complete server. */
import t, { type Test } from 'tap';
import type { UploadAnswer } from '../contract.ts';
import { newAccount, post } from '../testing/collections/by-command.ts';
import { eventually } from '../testing/eventually.ts';
import { form } from '../testing/form.ts';
import { picture } from '../testing/pictures.ts';
import { createTestDatabase } from '../testing/postgres/database.ts';
import { temporaryFolder } from '../testing/postgres/embedded.ts';
import { startServer } from '../testing/processes.ts';
import { attributesOf, openReceiver, type SentSpan } from '../testing/trace-receiver.ts';

t.setTimeout(120_000);

const environment = async (t: Test) => ({
  DATA_DIR: temporaryFolder(t),
  DATABASE_URL: (await createTestDatabase(t)).url,
});

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const parentId = '00f067aa0ba902b7';
const traceparent = `00-${traceId}-${parentId}-01`;

const below = (spans: SentSpan[], parent: SentSpan | undefined) =>
  spans.filter(({ parentSpanId }) => parent !== undefined && parentSpanId === parent.spanId);

t.test('a trace contains the request, ingest stages, statements and storage calls', async (t) => {
  const receiver = await openReceiver(t);
  const server = await startServer(t, {
    ...(await environment(t)),
    TRUST_PROXY: '127.0.0.1',
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    OTEL_SERVICE_NAME: 'pictures',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
  });
  const { origin } = server;
  const account = newAccount();
  await post(`${origin}/api/auth/register`, account);
  const login = (await (await post(`${origin}/api/auth/login`, account)).json()) as { access_token: string };
  const authorization = `Bearer ${login.access_token}`;
  const { headers, payload } = await form([{ name: 'secret-name.png', bytes: await picture() }]);
  const uploaded = await fetch(`${origin}/api/images/upload`, {
    method: 'POST',
    headers: { ...headers, authorization, traceparent, 'x-request-id': 'one-upload' },
    body: new Uint8Array(payload),
  });
  const { images } = (await uploaded.json()) as UploadAnswer;
  const link = new URL(images[0]?.url ?? '').pathname;
  t.equal((await fetch(origin + link)).status, 200);
  t.equal((await fetch(`${origin}/api/images/?search=private-search`, { headers: { authorization } })).status, 200);
  t.equal(await server.stop(), 0, 'pending spans are sent at the stop');

  const spans = receiver.spans();
  const upload = spans.find(({ name }) => name === 'POST /api/images/upload');
  t.match(upload, { traceId, parentSpanId: parentId, kind: 2 }, 'continues the proxy’s trace');
  t.match(attributesOf(upload?.attributes ?? []), {
    'http.route': '/api/images/upload',
    'http.request.method': 'POST',
    'http.response.status_code': 201,
    'gallery.request_id': 'one-upload',
  });
  const children = below(spans, upload);
  const names = new Set(children.map(({ name }) => name));
  for (const name of ['ingest receive', 'ingest judge', 'ingest keep', 'ingest insert', 'SELECT']) {
    t.ok(names.has(name), name);
  }
  const judge = children.find(({ name }) => name === 'ingest judge');
  t.ok(
    below(spans, judge).some(({ name }) => name === 'ingest decode'),
    'decoding is part of judging',
  );
  const keep = children.filter(({ name }) => name === 'ingest keep').flatMap((span) => below(spans, span));
  t.ok(keep.some(({ name }) => name === 'storage keep originals'));
  t.ok(keep.some(({ name }) => name === 'storage write thumbnails'));
  const insert = children.find(({ name }) => name === 'ingest insert');
  const statements = below(spans, insert).map((span) => attributesOf(span.attributes)['db.query.text']);
  t.ok(statements.some((text) => /^insert into "images"/.test(String(text))));
  t.ok(statements.includes('commit'));
  t.ok(
    spans.some(({ name }) => name === 'GET /i/:name'),
    'a link is named by its template',
  );
  t.ok(spans.every(({ traceId, spanId }) => traceId.length === 32 && spanId.length === 16));
  t.match(receiver.resource(), {
    'service.name': 'pictures',
    'deployment.environment.name': 'test',
    'service.version': /^\d/,
  });
  for (const secret of [link.slice(3, 20), login.access_token, account.email, account.username, account.password]) {
    t.notOk(receiver.raw().includes(secret), secret.slice(0, 12));
  }
  for (const secret of ['secret-name', 'private-search']) t.notOk(receiver.raw().includes(secret), secret);
});

t.test('the trace header of an untrusted client is ignored, and protobuf is the default protocol', async (t) => {
  const receiver = await openReceiver(t);
  const env = { ...(await environment(t)), OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/` };
  const server = await startServer(t, env);
  await fetch(`${server.origin}/api/health/live`, { headers: { traceparent } });
  t.equal(await server.stop(), 0);
  t.match(receiver.requests, [{ path: '/v1/traces', type: 'application/x-protobuf' }]);
  t.match(receiver.raw().toString('latin1'), /GET \/api\/health\/live/);
  t.notOk(receiver.raw().includes(Buffer.from(traceId, 'hex')));
});

t.test('an unavailable collector causes one warning and affects neither responses nor the stop', async (t) => {
  const server = await startServer(t, {
    ...(await environment(t)),
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    OTEL_BSP_SCHEDULE_DELAY: '10',
    OTEL_EXPORTER_OTLP_TIMEOUT: '500',
  });
  for (let time = 0; time < 20; time += 1) {
    t.equal((await fetch(`${server.origin}/api/health/live`)).status, 200);
  }
  const warnings = () => (server.stdout().match(/traces cannot be sent/g) ?? []).length;
  await eventually('the first warning', () => warnings() > 0);
  t.equal((await fetch(`${server.origin}/api/health/live`)).status, 200);
  t.equal(await server.stop(), 0);
  t.equal(warnings(), 1, 'one warning within a minute');
});
