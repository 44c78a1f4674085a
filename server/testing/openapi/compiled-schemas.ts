/**
 * Compiles the schemas of all apps of a test process once, and when a route is registered, so that an invalid schema fails every
 * test. A server compiles them at their first use (http/compile-schemas.ts, with its own test).
 */
import Fastify, { type RouteOptions } from 'fastify';
import { readConfig } from '../../config/read-config.ts';
import { serverOptions } from '../../http/server-options.ts';

const { ajv } = serverOptions(readConfig({}), String);
/** Its compilers have the server's options. They exist once it has a route with schemas. */
const some = { params: { type: 'object' }, response: { 200: { type: 'object' } } };
const app = Fastify({ ajv }).get('/', { schema: some }, () => ({}));
await app.ready();

function once<Part extends { schema: unknown }, Compiled>(compile: ((part: Part) => Compiled) | undefined) {
  if (!compile) throw new Error('Fastify has no compiler');
  const known = new Map<string, Compiled>();
  return (definition: Part): Compiled => {
    const key = JSON.stringify(definition.schema);
    const compiled = known.get(key) ?? compile(definition);
    known.set(key, compiled);
    return compiled;
  };
}

const [validatorCompiler, serializerCompiler] = [once(app.validatorCompiler), once(app.serializerCompiler)];

/** An onRoute hook. */
export function shareCompiledSchemas(route: RouteOptions): void {
  Object.assign(route, { validatorCompiler, serializerCompiler });
}
