import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './compile.mjs';

/** The compiled tests that the words name: sources, compiled files or folders; without words, all of the kind. */
export function filesOf(words, { browser }) {
  const names = words.filter((word) => !word.startsWith('-'));
  const all = browser
    ? ['build/browser-tests']
    : ['build/server', 'build/drizzle', 'build/bench', 'build/client-tests'];
  return (names.length > 0 ? names.map(compiled) : all).flatMap(testsBelow);
}

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
