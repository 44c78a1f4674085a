import type { Server } from 'node:http';
import {
  type FastifyError,
  type FastifyHttpOptions,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Config } from '../config/config.ts';
import { answerClientError } from './client-errors.ts';
import { answerError } from './error-handler.ts';
import { pathOfTarget } from './host.ts';
import { requestIdHeader, requestIds } from './request-id.ts';
import { refusalHeaders } from './response-headers.ts';

const second = 1000;
const hour = 3600 * second;

/** An error for the log. A failed query's own message repeats its parameters: emails, link keys; its cause does not. */
function loggedError(thrown: Error & { query?: string }) {
  const error = (thrown.query !== undefined && (thrown.cause as Error | undefined)) || thrown;
  const { name, message, stack, code } = error as NodeJS.ErrnoException;
  return { type: name, code, message, stack: stack ?? '', ...(thrown.query ? { query: thrown.query } : {}) };
}

/** The multipart reader tells all that it was given, with the call's headers: its limits are what may be told. */
const loggedReader = ({ limits }: { limits?: unknown }) => ({ limits });

/**
 * What Fastify and Node leave open by default, decided.
 * @param redact removes secrets from each line of the log
 */
export function serverOptions(config: Config, redact: (line: string) => string) {
  const guarding = refusalHeaders(config);
  return {
    logger:
      config.logLevel === 'silent'
        ? false
        : {
            level: config.logLevel,
            serializers: { err: loggedError, busboyOptions: loggedReader },
            hooks: { streamWrite: redact },
          },
    logController: new LogController({ disableRequestLogging: true }),
    clientErrorHandler: answerClientError.bind(undefined, guarding),
    genReqId: requestIds(config.trustProxy),
    // Who calls, by which host and protocol, is what the socket says, unless its peer is a proxy named in TRUST_PROXY.
    trustProxy: config.trustProxy ? [...config.trustProxy] : false,
    rewriteUrl: pathOfTarget,
    // A database's first start and long migrations take their time on a small machine.
    pluginTimeout: 0,
    // Bodies of calls; an upload has limits of its own.
    bodyLimit: 64 * 1024,
    forceCloseConnections: 'idle' as const,
    // The whole of a request, headers and body: long enough for an upload over a slow line (minimum-transfer-rate.ts cuts idle ones).
    requestTimeout: 2 * hour,
    // Counted from the connection on, so that one which says nothing is cut by it too. Node's refusal of a missing Host has
    // no form; host.ts refuses it in ours.
    http: { headersTimeout: 20 * second, connectionsCheckingInterval: 5 * second, requireHostHeader: false },
    keepAliveTimeout: 72 * second,
    // The framework's own refusal carries none of our headers: pressure.ts refuses what comes during a stop.
    return503OnClosing: false,
    // Schemas are made by typebox, which makes sound ones: to check them, the schema of schemas would be compiled at each start.
    ajv: { customOptions: { coerceTypes: false as const, removeAdditional: false as const, validateSchema: false } },
    routerOptions: { ignoreTrailingSlash: true },
    // A path that cannot be read passes no hook, so what response-headers.ts would say is said here.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
      answerError(error, request, reply.headers(guarding).header(requestIdHeader, request.id)),
  } satisfies FastifyHttpOptions<Server>;
}
