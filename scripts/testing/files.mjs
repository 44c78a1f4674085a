import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './compile.mjs';

const folders = {
  browser: ['build/browser-tests'],
  faults: ['build/trust-tests/faults'],
  trust: ['build/trust-tests'],
  cluster: ['build/cluster-tests'],
};
const usual = ['build/server', 'build/drizzle', 'build/bench', 'build/client-tests'];

/** The compiled tests that the words name: sources, compiled files or folders; without words, all of the kind. */
export function filesOf(words, kind) {
  const names = words.filter((word) => !word.startsWith('-'));
  if (names.length > 0) return names.map(compiled).flatMap(testsBelow);
  const all = (folders[kind] ?? usual).flatMap(testsBelow);
  return kind === 'postgres' ? all.filter(usesDatabase) : all;
}

/**
 * Those that ask the database for what another one may answer otherwise: orders and plans, locks, constraints and notices, the queue, its
 * rows in a backup, who may sign in. What is done with bytes, processes, mails and pages is seen on the embedded one.
 */
const ofTheDatabase =
  /\/(?:database|jobs|auth|account)\/|\/(?:sharding|many-processes|albums\/(?:routes|plans)|backup\/restore|commands\/(?:alone|stored-objects|users[\w-]*)|images\/(?:counts|each-image|list|loose-bytes|plans|quota|rename|search-totals|sharing|sweeping|upload-keys|(?:filters|pages|search|sharing)\.property)|uploads\/lasting)\.test\.js$/;

function usesDatabase(file) {
  if (!ofTheDatabase.test(file)) return false;
  return /\/(?:testing\/(?:app|database)[\w-]*|database\/\w+|connect|open|migrate)\.js'/.test(
    readFileSync(join(root, file), 'utf8'),
  );
}

/** Whether a test asks for an S3 server. */
export const usesS3 = (file) => /\/testing\/s3\.js'/.test(readFileSync(join(root, file), 'utf8'));

function compiled(word) {
  const path = relative(root, join(process.env.INIT_CWD ?? process.cwd(), word)).replaceAll('\\', '/');
  if (path.startsWith('build/')) return path;
  const place = path.startsWith('client') ? join('build', 'client-tests', path) : join('build', path);
  return place.replace(/\.tsx?$/, '.js');
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
