/** Reads the deployment files. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Test } from 'tap';
import { parse, parseAllDocuments } from 'yaml';
import { readConfig } from '../config/read-config.ts';

export type Service = {
  image?: string;
  build?: string;
  entrypoint?: string[];
  ports?: string[];
  environment?: Record<string, string | number>;
  secrets?: string[];
  volumes?: string[];
  networks?: string[];
  network_mode?: string;
  restart?: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  healthcheck?: { test: string[] };
  depends_on?: Record<string, { condition: string }>;
  deploy?: { replicas?: number };
};

export type Compose = {
  services: Record<string, Service>;
  secrets?: Record<string, { file: string }>;
  volumes?: Record<string, unknown>;
  networks?: Record<string, { internal?: boolean; ipam?: { config: { subnet: string }[] } } | null>;
};

export const readYaml = <T>(path: string): T => parse(readFileSync(path, 'utf8'), { merge: true }) as T;

export const readDocuments = <T>(path: string): T[] =>
  parseAllDocuments(readFileSync(path, 'utf8')).map((document) => {
    if (document.errors[0]) throw document.errors[0];
    return document.toJS() as T;
  });

/** Every variable of the program. */
export const variableNames = (): string[] =>
  Object.keys(readConfig({})).map((key) => key.replace(/[A-Z]/g, '_$&').toUpperCase());

/** Replaces `${NAME}`, `${NAME:-default}` and `${NAME:?message}` like compose. */
export const substitute = (text: string, values: Record<string, string>): string =>
  text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_whole, name: string, kind: string | undefined, word = '') => {
    const value = values[name];
    if (value) return value;
    if (kind === '?') throw new Error(`${name}: ${word}`);
    return kind === '-' ? word : '';
  });

/** The secrets folder as deploy/make-secrets.sh creates it, removed after the test. */
export function makeSecrets(t: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  fillSecrets(folder);
  return folder;
}

export const fillSecrets = (folder: string) => execFileSync('sh', ['deploy/make-secrets.sh', folder]);

/** @returns why tests that need the program are skipped, or false */
export const without = (program: string, debian: string): string | false =>
  spawnSync(program, ['--version']).error ? `${program} is not installed (Debian: ${debian})` : false;

export const filesBelow = (folder: string, ending: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));
