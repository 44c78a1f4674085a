import { type ParseArgsConfig, parseArgs } from 'node:util';

/** Wrong usage: exit code 2. The message is one sentence. */
export class UsageError extends Error {}

type Options = NonNullable<ParseArgsConfig['options']>;

/** Parses a command's arguments. @throws UsageError */
export function readArgs<const O extends Options>(args: string[], options: O) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    // The first sentence names the problem; Node's further ones explain "--".
    const [sentence = ''] = String((error as Error).message).split(/\. (?=[A-Z])/);
    throw new UsageError(`${sentence.replace(/\.?$/, '.')}`);
  }
}

/** @returns the value if it is one of `allowed` @throws UsageError */
export function oneOf<const A extends string>(name: string, value: string, allowed: readonly A[]): A {
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw new UsageError(`${name} is one of ${allowed.join(', ')}.`);
  return found;
}
