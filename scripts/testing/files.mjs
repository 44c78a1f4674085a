import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './compile.mjs';

const product = ['build/server', 'build/drizzle', 'build/cli-tests', 'build/bench', 'build/client-tests'];
const trust = 'build/trust-tests';
const cluster = 'build/cluster-tests';

/** The tests of each command: folders, and the mark before ".test" in file names (docs/understand/testing.md). */
const kinds = {
  usual: { folders: product, isOne: (mark) => mark === undefined },
  postgres: { folders: product, isOne: (mark) => mark === 'postgres' },
  smoke: { folders: [...product, trust], isOne: (mark) => mark === 'smoke' },
  nightly: { folders: product, isOne: (mark) => mark === 'nightly' },
  browser: { folders: ['build/browser-tests'], isOne: (mark) => mark !== 'nightly' },
  'browser-nightly': { folders: ['build/browser-tests'], isOne: (mark) => mark === 'nightly' },
  trust: { folders: [trust], isOne: () => true },
  faults: { folders: [`${trust}/faults`], isOne: () => true },
  cluster: { folders: [cluster], isOne: () => true },
  container: { folders: ['build/container-tests'], isOne: () => true },
};

/** @returns {string | undefined} "postgres" of "plans.postgres.test.js" */
const markOf = (file) => /\.(postgres|smoke|nightly)\.test\.js$/.exec(file)?.[1];

/** @returns the compiled tests of these sources, compiled files or folders (of the kind); without words, all of the kind */
export function filesOf(words, kind) {
  const names = words.filter((word) => !word.startsWith('-'));
  const { folders, isOne } = kinds[kind];
  const paths = names.length > 0 ? names.map(compiled) : folders;
  return paths.flatMap((path) => testsBelow(path).filter((file) => file === path || isOne(markOf(file))));
}

/** Whether these words name tests of the client's logic, or there are none. */
export const concernClient = (words) =>
  words.length === 0 || words.some((word) => compiled(word).startsWith('build/client-tests'));

/** Whether a test needs an S3 server. */
export const usesS3 = (file) => /\/testing\/s3\.js'/.test(readFileSync(join(root, file), 'utf8'));

function compiled(word) {
  const path = relative(root, join(process.env.INIT_CWD ?? process.cwd(), word)).replaceAll('\\', '/');
  if (path.startsWith('build/')) return path;
  const place = path.startsWith('client') ? join('build', 'client-tests', path) : join('build', path);
  return place.replace(/^build[\\/]cli(?=[\\/]|$)/, 'build/cli-tests').replace(/\.tsx?$/, '.js');
}

function testsBelow(path) {
  const place = join(root, path);
  if (!existsSync(place)) return [];
  if (statSync(place).isFile()) return [path];
  return readdirSync(place, { recursive: true })
    .filter((name) => name.endsWith('.test.js'))
    .sort()
    .map((name) => join(path, name));
}
