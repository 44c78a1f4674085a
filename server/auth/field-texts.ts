import type { FastifySchemaValidationError } from 'fastify/types/schema.js';
import { Value } from 'typebox/value';
import { RegisterBody } from '../contract.ts';

type Field = 'username' | 'email' | 'password';

const rules: Record<Field, string> = {
  username: 'The username needs 3 to 32 letters, digits, dots, underscores or hyphens.',
  email: 'The email must be a valid address like name@example.com.',
  password: 'The password needs 8 to 256 characters.',
};

/** Fields that follow the rule of a registration field. */
const alike: Record<string, Field> = { new_password: 'password' };

/** The registration's error text for an invalid field; undefined if it is valid. */
export function problemOf(field: Field, value: string): string | undefined {
  return Value.Check(RegisterBody.properties[field], value) ? undefined : rules[field];
}

/** Replaces the validator's message by a sentence that people can act on. */
export function explainField(errors: FastifySchemaValidationError[]): Error {
  const [first] = errors;
  const missing = typeof first?.params.missingProperty === 'string' ? first.params.missingProperty : undefined;
  const field = missing ?? first?.instancePath.split('/')[1] ?? '';
  const rule = rules[alike[field] ?? (field as Field)] as string | undefined;
  if (missing) return new Error(`The field "${missing}" is missing.${rule ? ` ${rule}` : ''}`);
  return new Error(rule ?? 'The body must be a JSON object with the fields this call takes.');
}
