/** nginx in one process with the same files: the limit of what a machine can serve. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../server/testing/free-port.ts';
import type { Bench } from '../bench.ts';
import { tool } from './tools.ts';

export type Nginx = { origin: string; pid: number };

const temporaries = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

const configuration = (folder: string, root: string, port: number) => `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_timeout 72s;
  keepalive_requests 100000000;
  types { image/webp webp; image/jpeg jpg; }
  add_header Cache-Control "public, max-age=31536000, immutable";
  ${temporaries.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  server { listen 127.0.0.1:${port}; root ${root}; }
}
`;

async function untilServing(origin: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null && child.signalCode === null) {
    const answers = await fetch(origin).then(
      () => true,
      () => false,
    );
    if (answers) return;
    await sleep(20);
  }
  throw new Error('nginx ended before it served');
}

/** @param root the folder to serve */
export async function startNginx(bench: Bench, root: string): Promise<Nginx> {
  const program = tool('nginx');
  const folder = join(await bench.folder(), 'nginx');
  const port = await freePort();
  await mkdir(folder);
  const file = join(folder, 'nginx.conf');
  await writeFile(file, configuration(folder, root, port));
  const child = spawn(program, ['-c', file, '-p', folder], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  bench.after(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const origin = `http://127.0.0.1:${port}`;
  await untilServing(origin, child);
  return { origin, pid: child.pid ?? 0 };
}
