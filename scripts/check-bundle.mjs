/**
 * Measures the gzipped JavaScript of the first screens in build/client and exits 1 when the login's is over the limit.
 * Counts what the browser must load before the page stands: the page's own scripts, the entry and its static imports,
 * and, for a dashboard page, its lazy parts with theirs.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

/** The build checks its draft before it takes the place of build/client. */
const built = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '../build/client'));
const limit = 110_000;
const aim = 100_000;

const manifest = JSON.parse(readFileSync(path.join(built, '.vite/manifest.json'), 'utf8'));
const page = readFileSync(path.join(built, 'index.html'), 'utf8');

const screens = {
  '/login': ['index.html'],
  '/dashboard/upload': ['index.html', 'layout/dashboard-layout.tsx', 'pages/upload-page.tsx'],
};

/** Files of a manifest entry and of everything it imports statically. */
function filesOf(key, files = new Set()) {
  const entry = manifest[key];
  if (!entry) throw new Error(`${key} is not in the manifest: has it moved?`);
  if (files.has(entry.file)) return files;
  files.add(entry.file);
  for (const imported of entry.imports ?? []) filesOf(imported, files);
  return files;
}

/** Scripts and preloads the page itself names. */
const named = [...page.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, file]) => file);

const weigh = (file) => gzipSync(readFileSync(path.join(built, file)), { level: 9 }).length;

function total(keys) {
  const files = new Set([...named, ...keys.flatMap((key) => [...filesOf(key)])].filter((file) => file.endsWith('.js')));
  return [...files].reduce((sum, file) => sum + weigh(file), 0);
}

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
const login = total(screens['/login']);
console.log(`JavaScript of /login: ${kilobytes(login)} gzipped (limit ${kilobytes(limit)}, aim ${kilobytes(aim)})`);
console.log(`JavaScript of /dashboard/upload: ${kilobytes(total(screens['/dashboard/upload']))} gzipped`);
if (login > limit) {
  console.error(`The first screen is over its limit of ${kilobytes(limit)}: make something load later.`);
  process.exitCode = 1;
}
