/** Starts nginx before several processes, with the configuration of docs/run/installation.md and other addresses. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import * as http from 'node:http';
import * as https from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../server/testing/free-port.ts';
import { tool } from './tools.ts';

export type Proxy = {
  origin: string;
  pid: number;
  /** @returns the error log */
  log: () => string;
  stop: () => Promise<void>;
};

const manual = join(import.meta.dirname, '..', '..', '..', 'docs', 'run', 'installation.md');
const temporaries = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** @returns the block of the manual with an upstream of several servers */
function documented(): string {
  const text = readFileSync(manual, 'utf8');
  const blocks = Array.from(text.matchAll(/```nginx\n([\s\S]*?)```/g), ([, body = '']) => body);
  const block = blocks.find((body) => body.includes('upstream '));
  if (!block) throw new Error('docs/run/installation.md shows no nginx before several processes');
  return block;
}

/** Makes a self-signed certificate. @returns nginx directives for it @throws MissingTool */
async function makeCertificate(folder: string): Promise<string> {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const words = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost'.split(' ');
  await promisify(execFile)(tool('openssl'), [...words, '-keyout', key, '-out', certificate]);
  return `ssl_certificate ${certificate}; ssl_certificate_key ${key};`;
}

const answers = (origin: string) =>
  new Promise<boolean>((resolve) => {
    const url = `${origin}/api/health/live`;
    const call = url.startsWith('https:') ? https.get(url, { rejectUnauthorized: false }) : http.get(url);
    call
      .on('response', (response) => {
        response.resume();
        resolve(true);
      })
      .on('error', () => resolve(false));
  });

/** Keeps what the server allows, and says for each answer whether it was kept. */
const caching = (folder: string) => `
  proxy_cache_path ${folder}/cache keys_zone=kept:1m;
  proxy_cache kept;
  add_header X-Cache $upstream_cache_status;`;

/** @param listening the rest of nginx's `listen` line, after the address */
function configuration(folder: string, listening: string, origins: string[], caches: boolean): string {
  const hosts = origins.map((origin) => new URL(origin).host);
  const block = documented()
    .replace(/listen 443 ssl;/, `listen 127.0.0.1:${listening}`)
    .replace(/^( *server )[\d.]+:3000(.*)$/gm, (_, words: string, rest: string) => {
      const host = hosts.shift();
      return host ? `${words}${host}${rest}` : '';
    });
  if (hosts.length > 0) throw new Error('docs/run/installation.md names fewer servers than there are');
  return `
daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log warn;
events { worker_connections 1024; }
http {
  access_log off;
  ${temporaries.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  ${caches ? caching(folder) : ''}
  ${block}
}
`;
}

type Options = {
  /** Uses https. */
  secure?: boolean;
  /** Has a cache, which the manual's nginx has not. */
  caches?: boolean;
};

/** @throws MissingTool */
export async function startProxy(
  folder: string,
  origins: string[],
  { secure = false, caches = false }: Options = {},
): Promise<Proxy> {
  const port = await freePort();
  const listening = secure ? `${port} ssl; ${await makeCertificate(folder)}` : `${port};`;
  const file = join(folder, 'nginx.conf');
  await writeFile(file, configuration(folder, listening, origins, caches));
  const log = join(folder, 'error.log');
  const words = ['-c', file, '-p', folder, '-e', log];
  const child = spawn(tool('nginx'), words, { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'exit');
  const origin = `${secure ? 'https' : 'http'}://127.0.0.1:${port}`;
  while (!(await answers(origin))) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`);
    await sleep(20);
  }
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return { origin, pid: child.pid ?? 0, log: () => readFileSync(log, 'utf8'), stop };
}
