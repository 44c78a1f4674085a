/** Spans contain templates, operations and statement texts, but no links, names, values or error messages, which repeat them. */
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  trace,
} from '@opentelemetry/api';
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config/config.ts';
import type { BeginQuery } from '../database/driver/query-observer.ts';
import { codeOf } from '../database/start-error.ts';
import { membership } from '../http/networks.ts';
import { throttledWarning } from '../lib/throttled-warning.ts';
import { type Current, current } from './current.ts';
import { plainText } from './slow-queries.ts';
import type { Instrument, Step } from './spans.ts';

type Log = { warn(details: object, message: string): void };

export type Tracing = {
  /** Starts the span of a request. */
  enter(request: FastifyRequest): { store: Current; end(reply: FastifyReply, wasAborted: boolean): void };
  instrument: Instrument;
  beginQuery: BeginQuery;
  /** Sends pending spans within three seconds. */
  close(): Promise<void>;
};

type Where = Pick<
  Config,
  'otelExporterOtlpEndpoint' | 'otelExporterOtlpTracesEndpoint' | 'otelExporterOtlpProtocol' | 'trustProxy'
>;

const flushTimeout = 3_000;

/** The exporter reads other settings (headers, timeouts, batches, sampling) from the standard OTEL_* variables. */
async function openExporter(config: Where) {
  const { otelExporterOtlpEndpoint: endpoint, otelExporterOtlpTracesEndpoint: traces } = config;
  const url = traces ?? `${endpoint?.replace(/\/+$/, '')}/v1/traces`;
  const { OTLPTraceExporter } =
    config.otelExporterOtlpProtocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto');
  return new OTLPTraceExporter({ url });
}

const headerOf: TextMapGetter<FastifyRequest['headers']> = {
  keys: (headers) => Object.keys(headers),
  get: (headers, name) => headers[name],
};

const nameOf = (step: Step) =>
  step.kind === 'ingest' ? `ingest ${step.stage}` : `storage ${step.operation} ${step.collection}`;

const attributesOf = (step: Step): Record<string, string> =>
  step.kind === 'ingest'
    ? { 'gallery.ingest.stage': step.stage }
    : { 'gallery.storage.operation': step.operation, 'gallery.storage.collection': step.collection };

function fail(span: Span, error: unknown): void {
  const type = codeOf(error) ?? (error instanceof Error ? error.name : 'unknown');
  span.setAttribute('error.type', String(type));
  span.setStatus({ code: SpanStatusCode.ERROR });
}

export async function openTracing(config: Where, version: string, log: Log): Promise<Tracing> {
  const warn = throttledWarning(60_000);
  setGlobalErrorHandler((err) =>
    warn(() => log.warn({ reason: codeOf(err) ?? (err as Error).name }, 'traces cannot be sent; some are lost')),
  );
  const own = resourceFromAttributes({ 'service.name': 'gallery', 'service.version': version });
  const provider = new BasicTracerProvider({
    resource: own.merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(await openExporter(config))],
  });
  const tracer = provider.getTracer('gallery', version);
  const propagator = new W3CTraceContextPropagator();
  const isProxy = config.trustProxy ? membership(config.trustProxy) : () => false;
  const contextNow = () => current.getStore()?.context;

  /** Work without a request is not traced, because heartbeats and sweeps would hide the rest. */
  const open = (parent: Context, name: string, kind: SpanKind, attributes: Record<string, string>) =>
    tracer.startSpan(name, { kind, attributes }, parent);

  return {
    enter({ headers, raw, method, id, routeOptions }) {
      const isTrusted = isProxy(raw.socket.remoteAddress ?? '');
      const parent = isTrusted ? propagator.extract(ROOT_CONTEXT, headers, headerOf) : ROOT_CONTEXT;
      const route = routeOptions.url;
      const span = open(parent, route ? `${method} ${route}` : method, SpanKind.SERVER, {
        'http.request.method': method,
        ...(route ? { 'http.route': route } : {}),
        'gallery.request_id': id,
      });
      return {
        store: { id, context: trace.setSpan(parent, span) },
        end({ statusCode }, wasAborted) {
          if (wasAborted) span.setAttribute('gallery.aborted', true);
          else span.setAttribute('http.response.status_code', statusCode);
          if (!wasAborted && statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },

    async instrument(step, work) {
      const parent = contextNow();
      if (!parent) return work();
      const span = open(parent, nameOf(step), SpanKind.INTERNAL, attributesOf(step));
      const store = { id: current.getStore()?.id, context: trace.setSpan(parent, span) };
      try {
        return await current.run(store, work);
      } catch (error) {
        fail(span, error);
        throw error;
      } finally {
        span.end();
      }
    },

    beginQuery(text) {
      const parent = contextNow();
      if (!parent) return () => undefined;
      const query = plainText(text);
      const operation = /^\w+/.exec(query)?.[0].toUpperCase() ?? 'QUERY';
      const span = open(parent, operation, SpanKind.CLIENT, {
        'db.system.name': 'postgresql',
        'db.operation.name': operation,
        'db.query.text': query,
      });
      return (error) => {
        if (error !== undefined) fail(span, error);
        span.end();
      };
    },

    async close() {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, flushTimeout);
      });
      await Promise.race([provider.shutdown().catch(() => undefined), timeout]).finally(() => clearTimeout(timer));
    },
  };
}
