/** Containers of the gallery's image, with the options that docker-compose.yml gives the app. */
import { randomBytes } from 'node:crypto';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { type Compose, readYaml, type Service, substitute } from '../../server/testing/deployment.ts';
import { eventually } from '../../server/testing/eventually.ts';
import { call } from '../../trust-tests/testing/call.ts';
import { image, podman, type Result, tryPodman } from './podman.ts';

type AppService = Service & {
  mem_limit: string;
  pids_limit: number;
  tmpfs: string[];
  init: boolean;
  stop_grace_period: string;
};

const app = readYaml<Compose>('docker-compose.yml').services.app as AppService;

/** Seconds that the compose file gives a stop. */
export const graceTime = Number.parseInt(app.stop_grace_period, 10);

function optionsOf(
  { mem_limit, pids_limit, tmpfs, init, read_only, cap_drop = [], security_opt = [] }: AppService,
  memory?: string,
) {
  return [
    ...(init ? ['--init'] : []),
    ...(read_only ? ['--read-only', '--read-only-tmpfs=false'] : []),
    ...tmpfs.flatMap((path) => ['--tmpfs', path]),
    ...cap_drop.flatMap((name) => ['--cap-drop', name]),
    ...security_opt.flatMap((option) => ['--security-opt', option.replace(/:true$/, '')]),
    ...['--pids-limit', String(pids_limit), '--memory', memory ?? substitute(mem_limit, {})],
  ];
}

export type Options = {
  environment?: Record<string, string>;
  /** What is mounted at /data: a volume or a folder of this machine. Otherwise a new volume. */
  data?: string;
  user?: string;
  memory?: string;
  image?: string;
  /** More options of `podman create`. */
  more?: string[];
  /** Replaces those of the compose file. */
  hardening?: string[];
};

export type Gallery = {
  name: string;
  data: string;
  origin: string;
  start(): Promise<void>;
  /** As `docker stop` does. @returns the exit code */
  stop(): Promise<number>;
  kill(): Promise<void>;
  /** Waits until the container has exited. @returns the exit code */
  ended(): Promise<number>;
  ready(): Promise<void>;
  exec(...words: string[]): Promise<Result>;
  logs(): Promise<string>;
  /** Runs the image's health check once. */
  isHealthy(): Promise<boolean>;
};

export const newName = (): string => `gallery-test-${randomBytes(5).toString('hex')}`;

/** A volume that is removed after the test. */
export async function newVolume(t: Test): Promise<string> {
  const name = await podman('volume', 'create', newName());
  t.teardown(() => podman('volume', 'rm', '--force', name));
  return name;
}

/**
 * A folder of this machine that belongs to a user, removed after the test. It is not in TMPDIR: a pid file that a container's
 * Postgres left there would be taken for one of this machine.
 */
export function hostFolder(t: Test, uid = 1000, gid = uid): string {
  const folder = mkdtempSync(join(process.env.GALLERY_CONTAINER_FOLDER ?? '', 'host-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  chownSync(folder, uid, gid);
  return folder;
}

/** Starts a container without waiting for anything. */
export async function launchGallery(t: Test, options: Options = {}): Promise<Gallery> {
  const name = newName();
  const data = options.data ?? (await newVolume(t));
  const words = [
    ...(options.hardening ?? optionsOf(app, options.memory)),
    ...(options.user ? ['--user', options.user] : []),
    ...Object.entries(options.environment ?? {}).flatMap(([key, value]) => ['--env', `${key}=${value}`]),
    ...['--volume', `${data}:/data`, '--publish', '127.0.0.1::3000', '--stop-timeout', String(graceTime)],
    // Docker adds no line for an unknown user to /etc/passwd.
    '--passwd=false',
    ...(options.more ?? []),
  ];
  const ended = async () => Number(await podman('wait', name));
  const gallery: Gallery = {
    name,
    data,
    origin: '',
    async start() {
      await podman('start', name);
      gallery.origin = `http://${await podman('port', name, '3000')}`;
    },
    async stop() {
      await podman('stop', name);
      return ended();
    },
    async kill() {
      await podman('kill', name);
      await ended();
    },
    ended,
    ready: () => waitUntilReady(gallery),
    exec: (...words) => tryPodman('exec', name, ...words),
    async logs() {
      const { output, errors } = await tryPodman('logs', name);
      return output + errors;
    },
    isHealthy: async () => (await tryPodman('healthcheck', 'run', name)).code === 0,
  };
  t.teardown(async () => {
    if (!t.passing()) t.comment((await gallery.logs()).replace(/.*"msg":"answered".*\n/g, '').slice(-4000));
    // podman 4.3 may find a mount of a container with a user namespace busy for a moment.
    const remove = () => tryPodman('rm', '--force', '--time', '0', '--volumes', name);
    await eventually('the container is removed', async () => (await remove()).code === 0);
  });
  await podman('run', '--detach', '--name', name, ...words, options.image ?? image);
  gallery.origin = `http://${(await tryPodman('port', name, '3000')).output.trim()}`;
  return gallery;
}

async function waitUntilReady({ name, origin, logs }: Gallery): Promise<void> {
  await eventually('the gallery is ready', async () => {
    const answer = await call(origin, '/api/health/ready').catch(() => undefined);
    if (answer?.status === 200) return true;
    const state = await podman('inspect', '--format', '{{.State.Status}}', name);
    if (state === 'exited') throw new Error(`the container ended: ${(await logs()).slice(-2000)}`);
    return false;
  });
}

/** Starts a container and waits until it is ready. */
export async function startGallery(t: Test, options: Options = {}): Promise<Gallery> {
  const gallery = await launchGallery(t, options);
  await gallery.ready();
  return gallery;
}

/** Starts a container that is expected to refuse. @returns its exit code and the lines that it printed */
export async function refusedStart(t: Test, options: Options = {}): Promise<{ code: number; lines: string[] }> {
  const gallery = await launchGallery(t, options);
  const code = await gallery.ended();
  return { code, lines: (await gallery.logs()).trim().split('\n') };
}
