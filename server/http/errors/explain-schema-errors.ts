import type { FastifySchemaValidationError } from 'fastify/types/schema.js';

const listed = (values: readonly unknown[]) => values.map((value) => JSON.stringify(value)).join(', ');

/** Types of alternatives: each is a separate error. */
const typesOf = (errors: FastifySchemaValidationError[], path: string) =>
  errors.flatMap(({ keyword, instancePath, params }) =>
    keyword === 'type' && instancePath === path ? [String(params.type)] : [],
  );

/** Values of alternatives that are constants: each is a separate error. */
const constantsOf = (errors: FastifySchemaValidationError[], path: string) =>
  errors.flatMap(({ keyword, instancePath, params }) =>
    keyword === 'const' && instancePath === path ? [params.allowedValue] : [],
  );

/** Replaces the validator's message by a sentence that names the field and what it takes. */
export function explainSchemaErrors(errors: FastifySchemaValidationError[], part: string): Error {
  const [first] = errors;
  if (first === undefined) return new Error('The request is not valid.');
  const { keyword, instancePath, params, message = 'is not valid' } = first;
  if (keyword === 'required') return new Error(`The field "${params.missingProperty}" is missing.`);
  if (keyword === 'additionalProperties') return new Error(`There is no field "${params.additionalProperty}" here.`);
  const field = instancePath.slice(1).replaceAll('/', '.');
  const subject = field === '' ? (part === 'querystring' ? 'The query' : `The ${part}`) : `The field "${field}"`;
  // Of alternatives, the one that the value comes nearest to: only its content is wrong.
  const inner = errors.find(
    (error) => error.instancePath === instancePath && !['type', 'const', 'anyOf', 'enum'].includes(error.keyword),
  );
  if (inner) return new Error(`${subject} ${inner.message ?? message}.`);
  const constants = constantsOf(errors, instancePath);
  if (constants.length > 0) return new Error(`${subject} takes only ${listed(constants)}.`);
  const types = typesOf(errors, instancePath);
  if (types.length > 0) return new Error(`${subject} must be of the type ${types.join(' or ')}.`);
  if (keyword === 'enum') return new Error(`${subject} takes only ${listed(params.allowedValues as unknown[])}.`);
  return new Error(`${subject} ${message}.`);
}
