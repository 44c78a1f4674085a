import type { FastifySchemaValidationError } from 'fastify/types/schema.js';

const rules: Record<string, string> = {
  username: 'The username needs 3 to 32 letters, digits, dots, underscores or hyphens.',
  email: 'The email must be a valid address like name@example.com.',
  password: 'The password needs 8 to 256 characters.',
};

/** One sentence a person can act on, in place of the validator's. */
export function explainField(errors: FastifySchemaValidationError[]): Error {
  const [first] = errors;
  const missing = typeof first?.params.missingProperty === 'string' ? first.params.missingProperty : undefined;
  const field = missing ?? first?.instancePath.split('/')[1] ?? '';
  const rule = rules[field];
  if (missing) return new Error(`The field "${missing}" is missing.${rule ? ` ${rule}` : ''}`);
  return new Error(rule ?? 'The body must be a JSON object with the fields this call takes.');
}
