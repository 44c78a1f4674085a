/** Compiles the schemas of all apps of a test process once. Compiling them takes most of the time in which an app starts. */
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

/** An onRoute hook. Fastify changes schemas of headers for its own compiler only; no route of the server has one. */
export function shareCompiledSchemas(route: RouteOptions): void {
  if (route.schema?.headers === undefined) Object.assign(route, { validatorCompiler, serializerCompiler });
}
