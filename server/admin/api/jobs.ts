/** Runs of the doctor and of backups: started on the page, or by a command. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { validate as isUuid } from 'uuid';
import { actorOf, note } from '../../audit/note.ts';
import type { Config } from '../../config/config.ts';
import { AdminJobAnswer, NewAdminJob } from '../../contract.ts';
import { BackupPathNeeded, JobRunning, NotFound } from '../../errors.ts';
import { perAccount } from '../../http/limits/rate-limit.ts';
import { refuses } from '../../http/openapi/refusals.ts';
import { forAdmins } from '../../http/scopes.ts';
import { jobAnswer } from '../jobs/answer.ts';
import { findJob, insertJob } from '../jobs/queries.ts';
import type { StartJob } from '../jobs/start.ts';

const minute = 60_000;

type Options = { config: Config; start: StartJob };

export const jobsRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { config, start }) => {
  const starting = {
    config: { ...perAccount('jobs', 20, minute), ...forAdmins, ...refuses(JobRunning, BackupPathNeeded) },
    schema: {
      operationId: 'startJob',
      summary: 'Start the doctor or a backup',
      body: NewAdminJob,
      response: { 202: AdminJobAnswer },
    },
  };
  app.post('/', starting, async (request, reply) => {
    const { kind } = request.body;
    if (kind === 'backup' && config.backupPath === undefined) throw new BackupPathNeeded();
    const row = await app.db.transaction(async (tx) => {
      const job = await insertJob(tx, kind, request.account.username);
      if (!job) throw new JobRunning();
      await note(tx, { action: kind, actor: actorOf(request) });
      return job;
    });
    start(kind, row.id);
    return reply.code(202).send({ job: jobAnswer(row) });
  });

  const reading = {
    config: { ...forAdmins, ...refuses(NotFound) },
    schema: {
      operationId: 'readJob',
      summary: 'Read the progress of the doctor or of a backup',
      params: Type.Object({ id: Type.String() }),
      response: { 200: AdminJobAnswer },
    },
  };
  app.get('/:id', reading, async ({ params: { id } }) => {
    const row = isUuid(id) ? await findJob(app.db, id) : undefined;
    if (!row) throw new NotFound('There is no such run.');
    return { job: jobAnswer(row) };
  });
};
