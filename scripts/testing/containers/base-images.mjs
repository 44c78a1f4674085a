// Base images made from packages of Debian and npm, for machines that reach no registry of images. They have the names, users
// and paths of the images that the Dockerfile and the compose files name.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { root } from '../compile.mjs';
import { run } from './run.mjs';

export const images = join(root, 'container-tests', 'images');
const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
const REMOVAL = { recursive: true, force: true };

/** Debian's mirrors, as this machine's apt uses them. */
export async function debianMirrors() {
  const lines = (
    await run('apt-get', ['indextargets', '--format', '$(LABEL)|$(REPO_URI)', 'Identifier: Packages'])
  ).split('\n');
  const of = (label) => lines.find((line) => line.startsWith(`${label}|`))?.split('|')[1];
  return {
    debian: of('Debian') ?? 'http://deb.debian.org/debian',
    security: of('Debian-Security') ?? 'http://deb.debian.org/debian-security',
  };
}

/** The first image that a checkout's file names with this repository, such as "node:24.22.3-slim". */
function imageIn(source, file, repository) {
  const text = readFileSync(join(source, file), 'utf8');
  const [name] = new RegExp(`\\b${repository}:[\\w.-]+`).exec(text) ?? [];
  if (!name) throw new Error(`${file} names no image ${repository}:…`);
  return name;
}

function recipeOf(...paths) {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(readFileSync(path));
  return hash.digest('hex').slice(0, 16);
}

const label = 'gallery.recipe';

/** Count up when makeDebian changes, so that existing images are made again. */
const debianRecipe = '1';

async function isMade(env, name, recipe) {
  const format = `{{index .Labels "${label}"}}`;
  const found = await run('podman', ['image', 'inspect', '--format', format, name], { env }).catch(() => '');
  return found === recipe;
}

/** apt keeps no caches, as in Debian's own images. */
const aptSettings = `DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb /var/cache/apt/*.bin || true"; };
APT::Update::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb /var/cache/apt/*.bin || true"; };
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
Acquire::Languages "none";
`;

/** Debian as its slim images have it: no documentation, no package lists. */
async function makeDebian(env, suite) {
  const name = `localhost/debian:${suite}-slim`;
  if (await isMade(env, name, debianRecipe)) return name;
  console.log(`Making ${name} …`);
  const { debian, security } = await debianMirrors();
  const folder = mkdtempSync(join(tmpdir(), 'debian-'));
  try {
    await run('debootstrap', ['--variant=minbase', `--keyring=${keyring}`, suite, folder, debian]);
    const sources = [
      `${debian} ${suite} main`,
      `${debian} ${suite}-updates main`,
      `${security} ${suite}-security main`,
    ];
    writeFileSync(join(folder, 'etc/apt/sources.list'), sources.map((line) => `deb ${line}\n`).join(''));
    const unneeded = [
      'usr/share/doc',
      'usr/share/man',
      'usr/share/info',
      'usr/share/locale',
      'var/cache/apt',
      'var/lib/apt/lists',
    ];
    for (const path of unneeded) {
      for (const entry of readdirSync(join(folder, path))) rmSync(join(folder, path, entry), REMOVAL);
    }
    const excludes = ['doc', 'man', 'info', 'locale'].map((part) => `path-exclude /usr/share/${part}/*\n`);
    writeFileSync(join(folder, 'etc/dpkg/dpkg.cfg.d/slim'), excludes.join(''));
    writeFileSync(join(folder, 'etc/apt/apt.conf.d/docker-clean'), aptSettings);
    writeFileSync(join(folder, 'etc/resolv.conf'), '');
    const archive = join(folder, '..', `${suite}-${process.pid}.tar`);
    try {
      const tar = spawn('tar', ['-C', folder, '-c', '.'], { stdio: ['ignore', 'pipe', 'inherit'] });
      await pipeline(tar.stdout, createWriteStream(archive));
      await run('podman', ['import', '--quiet', '--change', `LABEL ${label}=${debianRecipe}`, archive, name], { env });
    } finally {
      rmSync(archive, REMOVAL);
    }
  } finally {
    rmSync(folder, REMOVAL);
  }
  return name;
}

/** Unpacks packages of npm into folders: `{ "npm": "npm@11" }`. */
async function unpack(folder, packages) {
  for (const [name, spec] of Object.entries(packages)) {
    const target = join(folder, name);
    mkdirSync(target, { recursive: true });
    const archive = await run('npm', ['pack', '--silent', '--pack-destination', folder, spec], { cwd: folder });
    await run('tar', ['-C', target, '--strip-components=1', '-xzf', join(folder, archive.split('\n').at(-1))]);
  }
}

const architectures = { x64: 'x64', arm64: 'arm64' };

/** Builds an image from a folder of container-tests/images. @param prepare fills the build's context */
export async function makeImage(env, name, { folder, from, prepare = async () => {}, version = '' }) {
  const source = join(images, folder);
  const files = readdirSync(source)
    .sort()
    .map((each) => join(source, each));
  const recipe = `${recipeOf(...files)}-${debianRecipe}-${version}`;
  if (await isMade(env, name, recipe)) return;
  const base = await makeDebian(env, from);
  console.log(`Making ${name} …`);
  const context = mkdtempSync(join(tmpdir(), 'image-'));
  try {
    await run('cp', ['-r', `${source}/.`, context]);
    await prepare(context);
    const words = ['--format=docker', '--network=host', '--pull=never', `--from=${base}`, `--label=${label}=${recipe}`];
    await run('podman', ['build', ...words, '--tag', name, context], { env });
  } finally {
    rmSync(context, REMOVAL);
  }
}

/** Makes the base image that a checkout's Dockerfile names, unless it exists. @param pull gets it from its registry instead */
export async function makeNodeImage(env, { source = root, pull = false } = {}) {
  const image = imageIn(source, 'Dockerfile', 'node');
  if (pull) return pullImage(env, image);
  const [, version] = /:([\d.]+)/.exec(image);
  const architecture = architectures[process.arch];
  if (!architecture) throw new Error(`The container tests do not know the architecture ${process.arch}.`);
  const prepare = (context) =>
    unpack(context, { node: `node-linux-${architecture}@${version}`, npm: 'npm@11' }).catch((error) => {
      throw new Error(`Node ${version} cannot be had from npm's registry: ${error.message}`);
    });
  await makeImage(env, `docker.io/library/${image}`, { folder: 'node', from: 'bookworm', prepare, version });
}

/** As `makeNodeImage`, for the database of docker-compose.yml. */
export async function makePostgresImage(env, { pull = false } = {}) {
  const image = imageIn(root, 'docker-compose.yml', 'postgres');
  if (pull) return pullImage(env, image);
  await makeImage(env, `docker.io/library/${image}`, { folder: 'postgres', from: 'trixie' });
}

/** Repositories of docker-compose.scale.yml, and the folders of their replacements. Grafana has none. */
const engines = {
  'docker.io/library/caddy': 'caddy',
  'docker.io/edoburu/pgbouncer': 'pgbouncer',
  'docker.io/prom/prometheus': 'prometheus',
  'ghcr.io/versity/versitygw': 'versitygw',
};

/** As `makeNodeImage`, for the other services of docker-compose.scale.yml. */
export async function makeEngineImages(env) {
  for (const [repository, folder] of Object.entries(engines)) {
    const image = imageIn(root, 'docker-compose.scale.yml', repository.replace(/^docker\.io\/(library\/)?/, ''));
    await makeImage(env, repository.replace(/[^/]*$/, '') + image.replace(/^.*\//, ''), { folder, from: 'trixie' });
  }
}

const pullImage = (env, image) => run('podman', ['pull', '--quiet', `docker.io/library/${image}`], { env });
