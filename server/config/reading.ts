/** Reads one environment variable: its form, its source, and the error for a wrong value. */
import { readFileSync } from 'node:fs';

/** A wrong variable. The message is one line: the name, the form, and the given value. */
export class ConfigError extends Error {
  readonly code = 'CONFIG';
}

export type Environment = Readonly<Record<string, string | undefined>>;

export type Variable<T> = {
  form: string;
  fallback: T;
  /** Returns undefined for a text that does not have the form. */
  parse: (text: string) => T | undefined;
  /** A secret is never repeated in a message. */
  secret?: boolean;
  /** Allows an empty file to mean "not set". For other variables it is an error: without its key the server would store plain bytes. */
  emptyFile?: boolean;
  /** White space in a file is part of the value, except for the end of its last line. */
  keepsSpaces?: boolean;
};

export function variable<T>(
  form: string,
  fallback: T,
  parse: (text: string) => T | undefined,
  secret = false,
  emptyFile = false,
): Variable<T> {
  return { form, fallback, parse, secret, emptyFile };
}

/** `maxFileSize` -> `MAX_FILE_SIZE` */
export function nameOf(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** A variable's value, or the content of the file named by `<NAME>_FILE`. An empty value counts as not set. */
function textOf(
  name: string,
  { emptyFile = false, keepsSpaces = false }: Pick<Variable<unknown>, 'emptyFile' | 'keepsSpaces'>,
  environment: Environment,
): string | undefined {
  const own = environment[name] || undefined;
  const file = environment[`${name}_FILE`] || undefined;
  if (file === undefined) return own;
  if (own !== undefined) throw new ConfigError(`${name} and ${name}_FILE are both set: set one of them`);
  let text: string;
  try {
    const content = readFileSync(file, 'utf8');
    text = keepsSpaces ? content.replace(/[\r\n]+$/, '') : content.trim();
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code ?? 'unreadable';
    throw new ConfigError(`${name}_FILE must be the path of a readable file, but "${file}" is not (${reason})`);
  }
  if (text === '' && !emptyFile) {
    throw new ConfigError(`${name}_FILE must be the path of a file with a value, but "${file}" is empty`);
  }
  return text || undefined;
}

export function readVariable<T>(name: string, variable: Variable<T>, environment: Environment): T {
  const { form, fallback, parse, secret } = variable;
  const text = textOf(name, variable, environment);
  if (text === undefined) return fallback;
  const value = parse(text);
  if (value !== undefined) return value;
  const given = secret ? `a value of ${Buffer.byteLength(text)} bytes` : JSON.stringify(text);
  throw new ConfigError(`${name} must be ${form}, but was ${given}`);
}
