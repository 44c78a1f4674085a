/**
 * Measures the gzipped JavaScript that each screen of build/client must load, and exits with 1 in CI if one is over the
 * limit. Counts the page's inline script, the entry, the screen's lazy parts, all their static imports, and the largest language.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { newerCalls, newerSelectors } from './building/browser-apis.mjs';

/** The build checks its temporary folder before it replaces build/client. */
const built = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '../build/client'));
const usualLimit = 130_000;
const albumLimit = 3_000;
const limits = { '/login': 95_000 };

const manifest = JSON.parse(readFileSync(path.join(built, '.vite/manifest.json'), 'utf8'));
const page = readFileSync(path.join(built, 'index.html'), 'utf8');
/** The pages of client/routes.ts with their first files, in each language (client/boot-plugin.ts). */
const pages = JSON.parse(readFileSync(path.join(built, '.vite/routes.json'), 'utf8'));

/** @returns the files of a manifest entry and of its static imports */
function filesOf(key, files = new Set()) {
  const entry = manifest[key];
  if (!entry) throw new Error(`${key} is not in the manifest: has it moved?`);
  if (files.has(entry.file)) return files;
  files.add(entry.file);
  for (const imported of entry.imports ?? []) filesOf(imported, files);
  return files;
}

/** Scripts and preloads named in the page, and its inline script. */
const named = [...page.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, file]) => file);
const inline = [...page.matchAll(/<script>(.*?)<\/script>/gs)].map(([, text]) => text).join('');

const weigh = (text) => gzipSync(text, { level: 9 }).length;

const entry = filesOf('index.html');

function total(files) {
  const all = [...named, ...entry, ...files.map((file) => file.slice(1))];
  const scripts = [...new Set(all)].filter((file) => file.endsWith('.js'));
  return scripts.reduce((sum, file) => sum + weigh(readFileSync(path.join(built, file))), weigh(inline));
}

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`;
for (const { path: screen, starts } of pages) {
  const bytes = Math.max(...starts.map(total));
  const limit = limits[screen] ?? usualLimit;
  console.log(`JavaScript of ${screen}: ${kilobytes(bytes)} gzipped (limit ${kilobytes(limit)})`);
  if (bytes <= limit) continue;
  console.error(`${screen} is over the limit of ${kilobytes(limit)}: make something load later.`);
  // The last bytes depend on the machine's zlib: they may fail a change in CI, but not a user's start.
  if (process.env.CI) process.exitCode = 1;
}

// Visitors of an album's public page get its overlay after the page.
const { file } = JSON.parse(readFileSync(path.join(built, '.vite/public-album.json'), 'utf8'))['public-album/album.ts'];
const bytes = weigh(readFileSync(path.join(built, file), 'utf8'));
console.log(`JavaScript of an album's public page: ${kilobytes(bytes)} gzipped (limit ${kilobytes(albumLimit)})`);
if (bytes > albumLimit && process.env.CI) process.exitCode = 1;

// The first stylesheet determines the order of the layers.
const [, first = ''] = /rel="stylesheet"[^>]*href="\/([^"]+)"/.exec(page) ?? [];
const layers = [...readFileSync(path.join(built, first), 'utf8').matchAll(/@layer ([\w, ]+)/g)].flatMap(([, names]) =>
  names.split(/, ?/),
);
if ([...new Set(layers)].join() !== 'tokens,base,components') {
  console.error(`${first} does not begin with the order of the layers: something is styled before it.`);
  process.exitCode = 1;
}

const scripts = readdirSync(built, { recursive: true }).filter((file) => file.endsWith('.js'));
for (const file of [...scripts, 'index.html']) {
  for (const call of newerCalls(readFileSync(path.join(built, file), 'utf8'))) {
    console.error(`${file} calls ${call}, which the oldest supported browsers lack (client/browsers.ts).`);
    process.exitCode = 1;
  }
}

const styles = readdirSync(built, { recursive: true }).filter((file) => file.endsWith('.css'));
for (const file of styles) {
  for (const selectors of newerSelectors(readFileSync(path.join(built, file), 'utf8'))) {
    console.error(`${file} has ${selectors}: the oldest supported browsers drop the whole rule. Write two rules.`);
    process.exitCode = 1;
  }
}
