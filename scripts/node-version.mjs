// Imported first, so that an unsupported Node prints a sentence instead of a stack trace.
import { readFileSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

/** Of "^20.19.0 || >=26.0.0": an exact line or, with >=, also later lines. */
const ranges = engines.node.split(' || ').map((range) => {
  const [, operator, line, least] = /^(\^|>=)(\d+)\.(\d+)\.0$/.exec(range);
  return { line: Number(line), least: Number(least), later: operator === '>=' };
});

/** "20 from 20.19, 22 from 22.13, 24, and 26 or later" */
export const supported = new Intl.ListFormat('en').format(
  ranges.map(
    ({ line, least, later }) => `${line}${least > 0 ? ` from ${line}.${least}` : ''}${later ? ' or later' : ''}`,
  ),
);

export function isSupported(version) {
  const [major, minor] = version.split('.').map(Number);
  return ranges.some(({ line, least, later }) => (major === line && minor >= least) || (later && major > line));
}

if (!isSupported(process.versions.node)) {
  console.error(`This is Node ${process.versions.node}. Supported are ${supported}: see https://nodejs.org/`);
  process.exit(1);
}
