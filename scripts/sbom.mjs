// `npm run --silent sbom > sbom.cdx.json`: a CycloneDX document of what ships, from the lock file. It contains the server's
// dependencies for all platforms and the devDependencies bundled into the page, but no build or test tools.
import './node-version.mjs';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const project = dirname(import.meta.dirname);
const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));

/** Files of client/ that are not part of the page. */
const isTooling = (file) => /(?:\.test\.tsx?|-plugin\.ts|vite\.config\.ts)$|(?:^|[\\/])testing[\\/]/.test(file);
const imported = /(?:from|import|@import|url)\s*\(?\s*(["'])([@a-z][^"'\s]*)\1/g;
const packageOf = (specifier) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? '';

/** @returns the packages that the page's modules and styles import */
function bundled() {
  const files = readdirSync(join(project, 'client'), { recursive: true }).filter(
    (file) => /\.(?:tsx?|css)$/.test(file) && !isTooling(file),
  );
  const names = files.flatMap((file) =>
    [...readFileSync(join(project, 'client', file), 'utf8').matchAll(imported)].map(([, , specifier]) =>
      packageOf(specifier),
    ),
  );
  return new Set(names.filter((name) => name in manifest.devDependencies));
}

/** @returns these components and everything they need, by `bom-ref` */
function closure(graph, refs) {
  const kept = new Set();
  const rest = [...refs];
  for (let ref = rest.pop(); ref !== undefined; ref = rest.pop()) {
    if (kept.has(ref)) continue;
    kept.add(ref);
    rest.push(...(graph.get(ref) ?? []));
  }
  return kept;
}

const { status, stdout, stderr } = spawnSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
  cwd: project,
  encoding: 'utf8',
  maxBuffer: 64 * 2 ** 20,
  shell: process.platform === 'win32',
});
if (status !== 0) {
  console.error(stderr);
  process.exit(1);
}
const sbom = JSON.parse(stdout);
const graph = new Map(sbom.dependencies.map(({ ref, dependsOn = [] }) => [ref, dependsOn]));
const root = sbom.metadata.component;
const shipped = new Set([...Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies }), ...bundled()]);
const roots = (graph.get(root['bom-ref']) ?? []).filter((ref) => shipped.has(ref.slice(0, ref.lastIndexOf('@'))));
const kept = closure(graph, roots);

// npm uses the folder's name as the project's.
root.name = manifest.name;
sbom.components = sbom.components
  .filter((component) => kept.has(component['bom-ref']))
  .map((component) => ({
    ...component,
    properties: component.properties?.filter(({ name }) => name !== 'cdx:npm:package:development'),
  }));
sbom.dependencies = [
  { ref: root['bom-ref'], dependsOn: roots },
  ...sbom.dependencies.filter(({ ref }) => kept.has(ref)),
];
// A reader such as head may close the pipe early.
process.stdout.on('error', ({ code }) => process.exit(code === 'EPIPE' ? 0 : 1));
process.stdout.write(`${JSON.stringify(sbom, undefined, 2)}\n`);
