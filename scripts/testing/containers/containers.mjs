// Everything that the container tests share: an engine, base images, Compose, and the gallery's image.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withLock } from '../../building/lock.mjs';
import { root } from '../compile.mjs';
import { makeEngineImages, makeNodeImage, makePostgresImage } from './base-images.mjs';
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

/** The first commit whose image accepts uploads: those before passed Node an option that only Node 20 has. */
const earliestThatWorks = '109aa205b795581f17191bbdc379c8f003a8f53a';

/** Builds the image of the commit that upgrades start from. */
async function buildEarlier(env, folder, { tag, pull }) {
  const commit = process.env.GALLERY_EARLIER_COMMIT || earliestThatWorks;
  const source = join(folder, 'earlier');
  mkdirSync(source);
  const archive = join(folder, 'earlier.tar');
  await run('git', ['-c', 'safe.directory=*', 'archive', '--output', archive, commit], { cwd: root });
  await run('tar', ['-xf', archive, '-C', source]);
  await withLock(join(cache, '.lock'), () => makeNodeImage(env, { source, pull }));
  await buildImage(env, folder, { source, tag });
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
export async function startContainers({ pull = false, full = false } = {}) {
  const tag = `localhost/gallery-test:${process.pid}`;
  const earlierTag = `${tag}-earlier`;
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
    // Without a name, an image is a cache of layers for the next build, until it is old.
    for (const each of [tag, earlierTag]) await run('podman', ['untag', each, each], { env: podman }).catch(() => {});
    await run('podman', ['image', 'prune', '--force', '--filter', 'until=168h'], { env: podman }).catch(() => {});
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    podman = await configureEngine(folder);
    compose = await withLock(join(cache, '.lock'), () =>
      timed('Base images and Compose', async () => {
        await makeNodeImage(podman, { pull });
        await makePostgresImage(podman, { pull });
        // Compose itself pulls what is missing.
        if (full && !pull) await makeEngineImages(podman);
        return startComposeService(folder, podman);
      }),
    );
    await timed('The image', () => buildImage(podman, folder, { source: root, tag }));
    if (full) await timed('The earlier image', () => buildEarlier(podman, folder, { tag: earlierTag, pull }));
  } catch (error) {
    await stop();
    throw error;
  }
  const images = { GALLERY_IMAGE: tag, ...(full ? { GALLERY_EARLIER_IMAGE: earlierTag } : {}) };
  return { env: { ...podman, ...compose.env, ...images, GALLERY_CONTAINER_FOLDER: folder }, stop };
}
