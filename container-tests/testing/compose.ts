/** Projects of Docker Compose, on the engine that scripts/testing/containers/ serves by Docker's API. */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { image, podman, type Result, runProgram, tryPodman } from './podman.ts';

const docker = process.env.GALLERY_DOCKER ?? 'docker';

export type Project = {
  name: string;
  /** `docker compose <words>` in the project's folder. @throws unless it ends with 0 */
  compose(...words: string[]): Promise<string>;
  tryCompose(...words: string[]): Promise<Result>;
  /** Runs commands of the documentation in a shell in the project's folder. @throws unless they end with 0 */
  shell(commands: string): Promise<string>;
  /** The name of a service's container, for podman. */
  container(service: string): string;
};

/**
 * A project in a folder, with the image that this run built. After the test its containers, networks and volumes are removed.
 * @param environment besides PATH and what names the engine; Compose reads .env itself
 */
export function openProject(t: Test, folder: string, name: string, environment: Record<string, string> = {}): Project {
  const { DOCKER_HOST, DOCKER_CONFIG } = process.env;
  const PATH = `${dirname(docker)}:${process.env.PATH}`;
  const env = {
    ...{ PATH, DOCKER_HOST, DOCKER_CONFIG, COMPOSE_PROJECT_NAME: name, GALLERY_IMAGE: image },
    ...environment,
  };
  const shell = async (commands: string) => {
    const { code, output, errors } = await runProgram('sh', ['-ec', commands], { cwd: folder, env });
    if (code !== 0) throw new Error(`${commands} ended with ${code}: ${errors}`);
    return output.trim();
  };
  const tryCompose = (...words: string[]) => runProgram(docker, ['compose', ...words], { cwd: folder, env });
  const compose = async (...words: string[]) => {
    const { code, output, errors } = await tryCompose(...words);
    if (code !== 0) throw new Error(`docker compose ${words.join(' ')} ended with ${code}: ${errors}`);
    return output.trim();
  };
  const checks = runHealthChecks(name);
  t.teardown(async () => {
    await checks.stop();
    if (!t.passing()) t.comment((await tryCompose('logs', '--tail=100')).output.slice(-6000));
    await tryCompose('down', '--volumes', '--timeout=1', '--remove-orphans');
  });
  return { name, compose, tryCompose, shell, container: (service) => `${name}-${service}-1` };
}

/** podman leaves the timer of health checks to systemd; without systemd this loop is the timer. */
function runHealthChecks(project: string): { stop(): Promise<void> } {
  if (existsSync('/run/systemd/system')) return { stop: async () => {} };
  const stopped = new AbortController();
  const filters = ['--filter', `label=com.docker.compose.project=${project}`, '--filter', 'status=running'];
  const loop = (async () => {
    while (!stopped.signal.aborted) {
      const names = await podman('ps', ...filters, '--format', '{{.Names}}').catch(() => '');
      await Promise.all(
        names
          .split('\n')
          .filter(Boolean)
          .map((name) => tryPodman('healthcheck', 'run', name)),
      );
      await sleep(500, undefined, { signal: stopped.signal }).catch(() => {});
    }
  })();
  const stop = async () => {
    stopped.abort();
    await loop;
  };
  return { stop };
}

/** Commands of a page, without the build: the run has built the image. */
export function documented(page: string, pattern: RegExp): string {
  const [text] = pattern.exec(readFileSync(page, 'utf8')) ?? [];
  if (text === undefined) throw new Error(`${page} does not contain ${pattern}`);
  return text.replaceAll(' --build', '');
}

/** Runs a service's own health check once. */
export const isHealthy = async ({ container }: Project, service: string): Promise<boolean> =>
  (await tryPodman('healthcheck', 'run', container(service))).code === 0;

/** Every character that a shell, a URL, .env or SQL could take apart. */
export const awkward = ` p@ss:/w#?r%d"$x\\ ü `;

/** A folder with these files of the project, removed after the test. */
export function folderWith(t: Test, files: readonly string[]): string {
  const folder = mkdtempSync(join(process.env.GALLERY_CONTAINER_FOLDER ?? '', 'compose-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  for (const file of files) cpSync(file, join(folder, file), { recursive: true });
  return folder;
}
