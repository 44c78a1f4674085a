/** Runs the administrator's program beside the server: the same code as a command, and its memory is not the server's. */
import { spawn } from 'node:child_process';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/config.ts';
import { finishJob, type JobKind } from './queries.ts';

/** Characters of the program's last words that are kept. */
const LONGEST = 2000;

const argumentsOf = (kind: JobKind, id: string, backupPath: string | undefined): string[] =>
  kind === 'backup' ? ['backup', backupPath ?? '', '--job', id] : ['doctor', '--job', id];

export type StartJob = (kind: JobKind, id: string) => void;

/** @param program the path of admin.js */
export function createJobs(app: FastifyInstance, { backupPath }: Config, program: string): StartJob {
  const running = new Set<ReturnType<typeof spawn>>();
  app.shutdown.onClose('commands', async () => {
    for (const child of running) child.kill();
  });
  return (kind, id) => {
    const child = spawn(process.execPath, [program, ...argumentsOf(kind, id, backupPath)], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    running.add(child);
    let said = '';
    child.stderr?.on('data', (bytes: Buffer) => {
      said = (said + bytes.toString()).slice(-LONGEST);
    });
    const end = (reason: string) => {
      if (!running.delete(child)) return;
      // Without effect if the program has recorded its result.
      finishJob(app.db, id, 'failed', { summary: reason, findings: [] }).catch((err: unknown) =>
        app.log.warn({ err }, 'the end of a command is not recorded'),
      );
    };
    child.on('error', (error) => end(error.message));
    child.on('close', (code) => end(said.trim() || `It ended with code ${code}.`));
  };
}
