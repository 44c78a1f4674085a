/** Compiles a route's schemas at their first use: those of all routes took a quarter of a start. */
import createValidators, { type BuildCompilerFromPool, type RouteDefinition } from '@fastify/ajv-compiler';
import createSerializers, { type Serializer, type SerializerFactory } from '@fastify/fast-json-stringify-compiler';

function compileLate(compile: ReturnType<BuildCompilerFromPool>): typeof compile {
  type Validate = ReturnType<typeof compile>;
  return (route) => {
    // Fastify writes the names of headers in lower case only for its default compiler.
    if ((route as RouteDefinition).httpPart === 'headers') throw new Error('the server checks no headers by a schema');
    let compiled: Validate | undefined;
    const validate = (data: unknown) => {
      compiled ??= compile(route);
      const isValid = compiled(data);
      // Fastify reads the errors from the function that it called.
      validate.errors = compiled.errors;
      return isValid;
    };
    validate.errors = undefined as Validate['errors'];
    return validate as Validate;
  };
}

function serializeLate(compile: ReturnType<SerializerFactory>): typeof compile {
  return (route) => {
    let serialize: Serializer | undefined;
    return (data) => {
      serialize ??= compile(route);
      return serialize(data);
    };
  };
}

/** The compilers that Fastify has by default, each called late. */
export function createSchemaController() {
  const [validators, serializers] = [createValidators(), createSerializers()];
  const buildValidator: BuildCompilerFromPool = (...server) => compileLate(validators(...server));
  const buildSerializer: SerializerFactory = (...server) => serializeLate(serializers(...server));
  return { compilersFactory: { buildValidator, buildSerializer } };
}
