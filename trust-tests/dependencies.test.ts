/** Dependencies are pinned, and the audit refuses those with a severe advisory. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { temporaryFolder } from '../server/testing/app.ts';

type Manifest = Record<'dependencies' | 'devDependencies' | 'optionalDependencies', Record<string, string>>;

const manifest: Manifest = JSON.parse(await readFile('package.json', 'utf8'));
const fastify = manifest.dependencies.fastify ?? '';

t.test('every dependency is pinned to one version', async (t) => {
  for (const kind of ['dependencies', 'devDependencies', 'optionalDependencies'] as const) {
    for (const [name, version] of Object.entries(manifest[kind])) {
      t.match(version, /^\d+\.\d+\.\d+(?:-[\w.]+)?$/, `${name} in ${kind}`);
    }
  }
});

type Locked = { version?: string; integrity?: string; inBundle?: boolean; dev?: boolean; optional?: boolean };

t.test('every package in the lock file is pinned, and those that ship are pinned by content hash', async (t) => {
  const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8'));
  const entries = Object.entries<Locked>(packages).filter(([path]) => path !== '');
  t.ok(entries.every(([, { version }]) => /^\d+\.\d+\.\d/.test(version ?? '')));
  // The registry did not serve tools for other platforms when the file was written: they have no digest.
  const bare = entries.filter(
    ([, { integrity, inBundle, dev, optional }]) => !integrity && !inBundle && !(dev && optional),
  );
  t.same(
    bare.map(([path]) => path),
    [],
  );
});

t.test('every package supports the Node that runs this test', async (t) => {
  const folder = await temporaryFolder(t);
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) await copyFile(file, join(folder, file));
  const args = ['ci', '--dry-run', '--offline', '--engine-strict'];
  await t.resolves(promisify(execFile)('npm', args, { cwd: folder }));
});

/** Starts a registry with these advisories, or one that rejects the request. @returns its address */
async function registry(t: Test, advisories?: Record<string, object[]>): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    if (request.method !== 'POST') {
      const versions = { [fastify]: { name: 'fastify', version: fastify, dist: {} } };
      response.end(JSON.stringify({ name: 'fastify', versions, 'dist-tags': { latest: fastify } }));
    } else if (advisories) response.end(JSON.stringify(advisories));
    else response.writeHead(405).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function audit(t: Test, address: string): Promise<{ code: number; output: string }> {
  const env = { npm_config_registry: address, npm_config_cache: await temporaryFolder(t) };
  const child = spawn(process.execPath, ['scripts/audit.mjs'], { env: { ...process.env, ...env } });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  return { code, output };
}

const advisory = (severity: string) => ({
  fastify: [{ id: 1, url: 'https://example.com/1', title: 'A hole', severity, vulnerable_versions: `<=${fastify}` }],
});

t.test('a high or critical advisory fails the audit and is named', async (t) => {
  for (const severity of ['high', 'critical']) {
    const { code, output } = await audit(t, await registry(t, advisory(severity)));
    t.equal(code, 1, severity);
    t.match(output, `${severity}: fastify`);
    t.match(output, 'A hole https://example.com/1');
  }
});

t.test('no advisory, or a moderate one, passes the audit', async (t) => {
  t.match(await audit(t, await registry(t, {})), {
    code: 0,
    output: 'No high or critical advisory (0 less severe)',
  });
  const moderate = await audit(t, await registry(t, advisory('moderate')));
  t.match(moderate, { code: 0, output: 'No high or critical advisory (1 less severe)' });
});

t.test('an unreachable registry is reported as not checked', async (t) => {
  for (const address of [await registry(t), 'http://127.0.0.1:9/']) {
    const { code, output } = await audit(t, address);
    t.equal(code, 0);
    t.match(output, /^WARNING: the registry could not be queried for advisories/);
    t.match(output, '"not checked", not "clean"');
  }
});

type Policy = { allowScripts: Record<string, boolean> };
type Scripted = Locked & { name?: string; hasInstallScript?: boolean };

/** `node_modules/a/node_modules/@b/c` -> `@b/c` */
const nameIn = (path: string) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);

t.test('each package with an install script is named in package.json, as allowed or denied', async (t) => {
  const { allowScripts }: Policy = JSON.parse(await readFile('package.json', 'utf8'));
  const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8'));
  const scripted = Object.entries<Scripted>(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript)
    .map(([path, { name = nameIn(path) }]) => name);
  t.ok(scripted.length > 0);
  t.same([...new Set(scripted)].sort(), Object.keys(allowScripts).sort());
  t.match(await readFile('.npmrc', 'utf8'), /^ignore-scripts=true$/m);
});

/** Creates a project with our settings and two packages whose install scripts leave a file. */
async function scriptedProject(t: Test): Promise<string> {
  const folder = await temporaryFolder(t);
  const dependencies: Record<string, string> = {};
  for (const name of ['allowed', 'stranger']) {
    const own = join(folder, 'packages', name);
    await mkdir(own, { recursive: true });
    const postinstall = `node -e "fs.writeFileSync('ran', '')"`;
    await writeFile(join(own, 'package.json'), JSON.stringify({ name, version: '1.0.0', scripts: { postinstall } }));
    await promisify(execFile)('npm', ['pack', '--pack-destination', folder], { cwd: own });
    dependencies[name] = `file:${name}-1.0.0.tgz`;
  }
  const manifest = {
    name: 'project',
    version: '1.0.0',
    dependencies,
    allowScripts: { allowed: true, stranger: false },
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await mkdir(join(folder, 'scripts'));
  for (const file of ['.npmrc', 'scripts/install-scripts.mjs', 'scripts/node-version.mjs']) {
    await copyFile(file, join(folder, file));
  }
  return folder;
}

t.test('npm runs no install script, and install-scripts.mjs runs only the allowed ones', async (t) => {
  const cwd = await scriptedProject(t);
  const run = promisify(execFile);
  const ran = () => ['allowed', 'stranger'].filter((name) => existsSync(join(cwd, 'node_modules', name, 'ran')));
  await run('npm', ['install', '--offline'], { cwd });
  t.same(ran(), [], 'npm install');
  await run('npm', ['ci', '--offline'], { cwd });
  t.same(ran(), [], 'npm ci');
  await run(process.execPath, ['scripts/install-scripts.mjs'], { cwd });
  t.same(ran(), ['allowed']);
});

t.test('the SBOM lists the packages of the server and the page, and no development tool', async (t) => {
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/sbom.mjs'], { maxBuffer: 2 ** 26 });
  const { bomFormat, metadata, components } = JSON.parse(stdout);
  t.match({ bomFormat, metadata }, { bomFormat: 'CycloneDX', metadata: { component: { name: 'encryption-gallery' } } });
  const names = new Set(components.map(({ name }: { name: string }) => name));
  for (const name of [...Object.keys(manifest.dependencies), 'react', '@fontsource-variable/figtree', 'scheduler']) {
    t.ok(names.has(name), `${name} ships`);
  }
  for (const name of ['tap', 'vite', 'typescript', 'esbuild', '@types/node']) t.notOk(names.has(name), name);
});

t.test('each base image has an exact version', async (t) => {
  const files = ['Dockerfile', 'docker-compose.yml', 'docker-compose.scale.yml'];
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  const images = texts.flatMap((text) => [...text.matchAll(/^(?:FROM| *image:) (\S+)/gm)].map(([, name = '']) => name));
  t.ok(images.length > 5);
  const stages = new Set(texts.flatMap((text) => [...text.matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, name]) => name)));
  for (const name of images.filter((image) => !image.startsWith('encryption-gallery:') && !stages.has(image))) {
    t.match(name, /:v?\d+\.\d+(?:\.\d+)?(?:-[\w.]+)?(?:@sha256:[\da-f]{64})?$/, name);
  }
});
