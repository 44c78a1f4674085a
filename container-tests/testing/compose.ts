/** Projects of Docker Compose, on the engine that scripts/testing/containers/ serves by Docker's API. */
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Test } from 'tap';
import { podman, runProgram, tryPodman } from './podman.ts';

const docker = process.env.GALLERY_DOCKER ?? 'docker';

export type Project = {
  name: string;
  /** `docker compose <words>` in the project's folder. @throws unless it ends with 0 */
  compose(...words: string[]): Promise<string>;
  tryCompose(...words: string[]): ReturnType<typeof runProgram>;
};

/**
 * A project in a folder. After the test its containers, networks and volumes are removed.
 * @param environment besides PATH and what names the engine; Compose reads .env itself
 */
export function openProject(t: Test, folder: string, name: string, environment: Record<string, string> = {}): Project {
  const { PATH, DOCKER_HOST, DOCKER_CONFIG } = process.env;
  const env = { PATH, DOCKER_HOST, DOCKER_CONFIG, COMPOSE_PROJECT_NAME: name, ...environment };
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
  return { name, compose, tryCompose };
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
