// `npm run generate:openapi`: writes server/openapi/openapi.json from the routes of a whole server. It refuses to write a
// document that breaks programs: one that removes or narrows what the present document says. To do so nevertheless:
//   npm run generate:openapi -- --break "why, and what programs can do instead"
// This records the reason and each change in server/openapi/broken-promises.json.
import './node-version.mjs';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './building/build.mjs';
import { root } from './building/targets.mjs';

const [option, reason, ...rest] = process.argv.slice(2);
if (rest.length > 0 || (option !== undefined && (option !== '--break' || !reason))) {
  console.error('Usage: npm run generate:openapi [-- --break "reason"]');
  process.exit(2);
}

const file = join(root, 'server', 'openapi', 'openapi.json');
const recordFile = join(root, 'server', 'openapi', 'broken-promises.json');
const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const write = (path, value) => writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`);

/** A server on an empty database that is never used. */
async function readRoutes(builtServer) {
  const { buildApp } = await import(`${builtServer}/app.js`);
  const { readConfig } = await import(`${builtServer}/config/read-config.js`);
  const dataDir = mkdtempSync(join(tmpdir(), 'gallery-openapi-'));
  const routes = [];
  try {
    const app = await buildApp(
      { ...readConfig({}), dataDir, logLevel: 'silent' },
      { onRoute: (route) => routes.push(route) },
    );
    await app.close();
    return routes;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

await build(['server']);
const builtServer = join(root, 'build', 'server');
const { documentOf } = await import(`${builtServer}/openapi/document.js`);
const { brokenPromises } = await import(`${builtServer}/openapi/compatibility.js`);
const document = await documentOf(await readRoutes(builtServer));
const broken = brokenPromises(read(file), document);
if (broken.length > 0 && !reason) {
  console.error(`The routes break programs that use the present document:\n${broken.join('\n')}`);
  console.error('See the head of scripts/generate-openapi.mjs.');
  process.exitCode = 1;
} else {
  if (broken.length > 0) {
    write(recordFile, [{ date: new Date().toISOString().slice(0, 10), reason, broken }, ...read(recordFile)]);
  }
  write(file, document);
  console.log(`Written: ${Object.keys(document.paths).length} paths.`);
}
