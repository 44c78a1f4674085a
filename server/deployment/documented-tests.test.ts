/** docs/understand/durability.md and security.md name a test for each promise; this finds names of missing files. */
import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';

const tests = ['server', 'trust-tests', 'browser-tests'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`),
);

/** `server/{a,b}.test.ts` and `server/*.test.ts` name several files. */
function pattern(name: string): RegExp {
  const source = name
    .replace(/[.]/g, '\\.')
    .replace(/\*/g, '[^/]*')
    .replace(/\{(.*?)\}/g, (_braces, names: string) => `(?:${names.replaceAll(',', '|')})`);
  return new RegExp(`(?:^|/)${source}`);
}

for (const page of ['docs/understand/durability.md', 'docs/understand/security.md']) {
  t.test(`each test that ${page} names exists`, (t) => {
    const cells = readFileSync(page, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .map((line) => line.split('|').at(-2) ?? '');
    const names = cells.flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = '']) => name));
    const files = names.filter((name) => /\.test\.ts$|^[fa]\d\d-|\/[fag]\d\d-/.test(name));
    t.ok(files.length > 25, `${files.length} names`);
    for (const name of files)
      t.ok(
        tests.some((file) => pattern(name).test(file)),
        name,
      );
    // "A22" is a file in a folder of trust-tests/abuse.
    const abuses = cells.flatMap((cell) => Array.from(cell.matchAll(/\bA(\d+)\b/g), ([, number = '']) => number));
    for (const number of abuses)
      t.ok(
        tests.some((file) => file.startsWith('trust-tests/abuse/') && file.includes(`/a${number.padStart(2, '0')}-`)),
        `A${number}`,
      );
    t.end();
  });
}
