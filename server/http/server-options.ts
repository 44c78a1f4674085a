import type { Server } from 'node:http';
import Fastify, {
  type FastifyError,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Config } from '../config/config.ts';
import { createSchemaController } from './compile-schemas.ts';
import { answerClientError } from './errors/client-errors.ts';
import { answerError } from './errors/error-handler.ts';
import { explainSchemaErrors } from './errors/explain-schema-errors.ts';
import { pathOfTarget } from './host.ts';
import { requestIdHeader, requestIds } from './request-id.ts';
import { requestLogger } from './request-logger.ts';
import { refusalHeaders } from './response-headers.ts';

const second = 1000;
const hour = 3600 * second;

/** An error for the log. The message of a failed query repeats its parameters (emails, link keys); its cause does not. */
function loggedError(thrown: Error & { query?: string }) {
  const error = (thrown.query !== undefined && (thrown.cause as Error | undefined)) || thrown;
  const { name, message, stack, code } = error as NodeJS.ErrnoException;
  return { type: name, code, message, stack: stack ?? '', ...(thrown.query ? { query: thrown.query } : {}) };
}

/** The multipart reader logs all its options, including request headers. Only its limits may be logged. */
const loggedReader = ({ limits }: { limits?: unknown }) => ({ limits });

/** Secrets of API tokens (auth/api-tokens/secret.ts), for example of a call that has one in its address. */
const withoutSecrets = (line: string): string => line.replace(/enc_[\w-]{40,}/g, 'enc_[secret]');

/** Options of Fastify and Node. @param redact removes further secrets from each log line */
export function serverOptions(config: Config, redact: (line: string) => string) {
  const guarding = refusalHeaders(config);
  return {
    logger:
      config.logLevel === 'silent'
        ? false
        : {
            level: config.logLevel,
            serializers: { err: loggedError, busboyOptions: loggedReader },
            hooks: { streamWrite: (line: string) => redact(withoutSecrets(line)) },
          },
    childLoggerFactory: requestLogger,
    logController: new LogController({ disableRequestLogging: true }),
    clientErrorHandler: answerClientError.bind(undefined, guarding),
    genReqId: requestIds(config.trustProxy),
    trustProxy: config.trustProxy ? [...config.trustProxy] : false,
    rewriteUrl: pathOfTarget,
    // The first start of a database and long migrations take long on a small machine.
    pluginTimeout: 0,
    // Uploads have other limits.
    bodyLimit: 64 * 1024,
    forceCloseConnections: 'idle' as const,
    // Long enough for an upload over a slow line; minimum-transfer-rate.ts cuts idle ones.
    requestTimeout: 2 * hour,
    // headersTimeout starts with the connection, so it also cuts silent ones. host.ts refuses a missing Host as JSON.
    http: { headersTimeout: 20 * second, connectionsCheckingInterval: 5 * second, requireHostHeader: false },
    keepAliveTimeout: 72 * second,
    // The framework's own 503 lacks the security headers; pressure.ts refuses requests during a stop.
    return503OnClosing: false,
    // TypeBox schemas are valid; checking them would compile the meta-schema.
    ajv: { customOptions: { coerceTypes: false as const, removeAdditional: false as const, validateSchema: false } },
    schemaController: createSchemaController(),
    schemaErrorFormatter: explainSchemaErrors,
    routerOptions: { ignoreTrailingSlash: true },
    // A malformed path passes no hook, so the headers of response-headers.ts are added here.
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
      answerError(error, request, reply.headers(guarding).header(requestIdHeader, request.id)),
  } satisfies FastifyHttpOptions<Server>;
}

/** A server without routes. @param redact as for `serverOptions` */
export const createServer = (config: Config, redact: (line: string) => string): FastifyInstance =>
  Fastify(serverOptions(config, redact));
