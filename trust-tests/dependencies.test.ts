/** What others wrote: pinned to the version that was looked at, and refused when an advisory stands against it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
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

t.test('every package of the lock file is pinned, those that serve to their content', async (t) => {
  const { packages } = JSON.parse(await readFile('package-lock.json', 'utf8'));
  const entries = Object.entries<Locked>(packages).filter(([path]) => path !== '');
  t.ok(entries.every(([, { version }]) => /^\d+\.\d+\.\d/.test(version ?? '')));
  // Tools for other platforms, which the registry did not serve when the file was written, have no digest.
  const bare = entries.filter(
    ([, { integrity, inBundle, dev, optional }]) => !integrity && !inBundle && !(dev && optional),
  );
  t.same(
    bare.map(([path]) => path),
    [],
  );
});

/** A registry with these advisories; none at all: it does not take the question. @returns its address */
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

t.test('an advisory that is high or critical fails, and is named', async (t) => {
  for (const severity of ['high', 'critical']) {
    const { code, output } = await audit(t, await registry(t, advisory(severity)));
    t.equal(code, 1, severity);
    t.match(output, `${severity}: fastify`);
    t.match(output, 'A hole https://example.com/1');
  }
});

t.test('none, or one of less weight, is good', async (t) => {
  t.match(await audit(t, await registry(t, {})), {
    code: 0,
    output: 'No high or critical advisory (0 of less weight)',
  });
  const moderate = await audit(t, await registry(t, advisory('moderate')));
  t.match(moderate, { code: 0, output: 'No high or critical advisory (1 of less weight)' });
});

t.test('a registry that does not answer is said not to have been asked', async (t) => {
  for (const address of [await registry(t), 'http://127.0.0.1:9/']) {
    const { code, output } = await audit(t, address);
    t.equal(code, 0);
    t.match(output, /^WARNING: the registry could not be asked for advisories/);
    t.match(output, '"could not be asked", not "clean"');
  }
});
