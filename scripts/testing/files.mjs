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
 * Of those that have a database, these ask it for nothing that another one could answer otherwise: what is done with bytes, processes and
 * pages.
 */
const besideTheDatabase =
  /\/(?:plugins\/.*|health\/.*|workers\/.*|storage\/(?:s3|sealed|disk)\/.*|copying\/.*|monitoring\/.*|admission|archive|ask|backup-killed|beside|bucket|cold-links|corpus|delivery|digests|fallback|hot-links|links|location|main|mounts|multipart\.property|originals|own-original|program|proxy|public-pages|range\.property|rebuild-renditions|rendition-bytes|renditions|renditions-on-demand|sealed|sealing|second-client|server-options|shell|surroundings|upload|watching)\.test\.js$/;

function usesDatabase(file) {
  if (besideTheDatabase.test(file)) return false;
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
