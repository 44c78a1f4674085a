// Everything that the container tests share: an engine, base images, Compose, and the gallery's image.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withLock } from '../../building/lock.mjs';
import { root } from '../compile.mjs';
import { makeBaseImages } from './base-images.mjs';
import { startComposeService } from './compose.mjs';
import { cache, configureEngine, installEngine } from './engine.mjs';
import { run } from './run.mjs';

/** What `npm ci` in the Dockerfile needs on this machine: its registry and its certificates. The image keeps none of it. */
async function buildOptions(folder) {
  const npmrc = join(folder, 'npmrc');
  const registry = await run('npm', ['config', 'get', 'registry']);
  const certificates = '/etc/ssl/certs/ca-certificates.crt';
  writeFileSync(npmrc, `registry=${registry}\ncafile=${certificates}\n`);
  // Packages that an earlier build downloaded.
  const downloads = join(cache, 'npm');
  mkdirSync(downloads, { recursive: true });
  const mounts = [`${npmrc}:/root/.npmrc:ro`, '/etc/ssl/certs:/etc/ssl/certs:ro', `${downloads}:/root/.npm`];
  return ['--network=host', ...mounts.map((mount) => `--volume=${mount}`)];
}

/**
 * Builds an image from a checkout's Dockerfile, as it is.
 * @param {Record<string, string>} env of podman
 * @param {string} folder for temporary files
 * @param {{ source: string, tag: string, target?: string }} what
 */
export async function buildImage(env, folder, { source, tag, target }) {
  const options = [
    '--format=docker',
    '--pull=never',
    ...(await buildOptions(folder)),
    ...(target ? ['--target', target] : []),
  ];
  await run('podman', ['build', ...options, '--tag', tag, source], { env });
}

const timed = async (what, work) => {
  const start = performance.now();
  const result = await work();
  console.log(`${what}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return result;
};

/**
 * Prepares the machine and builds the image. Two runs may share the machine: the lock covers what they share.
 * @returns {Promise<{ env: Record<string, string>, stop(): Promise<void> }>}
 */
export async function startContainers({ pull = false } = {}) {
  const tag = `localhost/gallery-test:${process.pid}`;
  await timed('The engine', installEngine);
  mkdirSync(cache, { recursive: true });
  // Not in the folder of the tests: a pid file that a container's Postgres left there would be taken for one of this machine.
  const folder = mkdtempSync(join(tmpdir(), 'gallery-containers-'));
  // Users of containers must be able to enter it.
  chmodSync(folder, 0o711);
  let podman = {};
  let compose;
  const stop = async () => {
    await compose?.stop();
    await run('podman', ['image', 'rm', '--force', tag], { env: podman }).catch(() => {});
    // Layers of older builds; the newer ones make the next build short.
    await run('podman', ['image', 'prune', '--force', '--filter', 'until=72h'], { env: podman }).catch(() => {});
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    podman = await configureEngine(folder);
    compose = await withLock(join(cache, '.lock'), () =>
      timed('Base images and Compose', async () => {
        await makeBaseImages(podman, { pull });
        return startComposeService(folder, podman);
      }),
    );
    await timed('The image', () => buildImage(podman, folder, { source: root, tag }));
  } catch (error) {
    await stop();
    throw error;
  }
  return { env: { ...podman, ...compose.env, GALLERY_IMAGE: tag, GALLERY_CONTAINER_FOLDER: folder }, stop };
}
