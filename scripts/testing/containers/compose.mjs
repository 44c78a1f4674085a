// Docker's own command line and Compose, unpacked beside the system, against podman's socket.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { debianMirrors } from './base-images.mjs';
import { cache } from './engine.mjs';
import { run } from './run.mjs';

const release = 'trixie';
const folder = join(cache, `compose-${release}`);

/** Downloads Debian's docker-cli and docker-compose once. */
async function unpackCompose() {
  if (existsSync(folder)) return;
  console.log('Getting Docker Compose …');
  const work = mkdtempSync(join(tmpdir(), 'compose-'));
  try {
    const { debian } = await debianMirrors();
    const signed = '[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]';
    writeFileSync(join(work, 'sources.list'), `deb ${signed} ${debian} ${release} main\n`);
    mkdirSync(join(work, 'lists/partial'), { recursive: true });
    mkdirSync(join(work, 'cache/archives/partial'), { recursive: true });
    const options = {
      'Dir::Etc::sourcelist': join(work, 'sources.list'),
      'Dir::Etc::sourceparts': '-',
      'Dir::State::lists': join(work, 'lists'),
      'Dir::Cache': join(work, 'cache'),
      'APT::Sandbox::User': 'root',
    };
    const apt = Object.entries(options).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
    await run('apt-get', [...apt, 'update', '-qq'], { cwd: work });
    await run('apt-get', [...apt, 'download', '-qq', 'docker-cli', 'docker-compose'], { cwd: work });
    for (const name of readdirSync(work).filter((each) => each.endsWith('.deb'))) {
      await run('dpkg', ['-x', name, 'unpacked'], { cwd: work });
    }
    await run('cp', ['-r', join(work, 'unpacked'), `${folder}.new`]);
    renameSync(`${folder}.new`, folder);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const answers = (path) =>
  new Promise((resolve) => {
    const socket = connect(path, () => socket.end(() => resolve(true)));
    socket.on('error', () => resolve(false));
  });

/**
 * Serves Docker's API, so that `docker compose` runs on podman.
 * @returns {Promise<{ env: Record<string, string>, stop(): Promise<void> }>}
 */
export async function startComposeService(place, podmanEnv) {
  await unpackCompose();
  const config = join(place, 'docker');
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'config.json'), '{}');
  const plugins = join(folder, 'usr/libexec/docker/cli-plugins');
  await run('ln', ['-sfn', plugins, join(config, 'cli-plugins')]);
  const socket = join(place, 'podman.sock');
  const service = spawn('podman', ['--log-level=error', 'system', 'service', '--time=0', `unix://${socket}`], {
    env: { ...process.env, ...podmanEnv },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = once(service, 'close');
  while (!(await answers(socket))) {
    if (service.exitCode !== null) throw new Error(`podman system service ended with ${service.exitCode}`);
    await sleep(20);
  }
  const stop = async () => {
    service.kill('SIGTERM');
    await ended;
  };
  const env = {
    DOCKER_HOST: `unix://${socket}`,
    DOCKER_CONFIG: config,
    GALLERY_DOCKER: join(folder, 'usr/bin/docker'),
  };
  return { env, stop };
}
