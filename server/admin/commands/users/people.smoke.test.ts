/** Administrators by command and by API on a running server, and what they start there. */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import type { AdminJob, AdminOverview } from '../../../contract.ts';
import { create, type Environment, list, newAccount, post } from '../../../testing/collections/by-command.ts';
import { eventually } from '../../../testing/eventually.ts';
import { createTestDatabase } from '../../../testing/postgres/database.ts';
import { temporaryFolder } from '../../../testing/postgres/embedded.ts';
import { admin, startServer } from '../../../testing/processes.ts';

t.setTimeout(280_000);

const { url } = await createTestDatabase(t);
const folder = temporaryFolder(t);
const env: Environment = {
  DATA_DIR: temporaryFolder(t),
  DATABASE_URL: url,
  REGISTRATION: 'approval',
  BACKUP_PATH: join(folder, 'backup.tar'),
};
const run = (...args: string[]) => admin(t, args, env);
const [amira, noor] = [newAccount(), newAccount()];
await create(t, env, amira);
const server = await startServer(t, env);

const callOf = async ({ email, password }: { email: string; password: string }) => {
  const login = (await (await post(`${server.origin}/api/auth/login`, { email, password })).json()) as {
    access_token: string;
  };
  const headers = { authorization: `Bearer ${login.access_token}`, 'content-type': 'application/json' };
  return async <T>(path: string, body?: object): Promise<{ status: number } & T> => {
    const answer = await fetch(`${server.origin}/api/admin${path}`, {
      headers,
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    });
    return { status: answer.status, ...((await answer.json()) as T) };
  };
};

t.test('roles, approval, quotas and invitations by command', async (t) => {
  t.match(await run('users', 'promote', amira.email), { code: 0, stdout: /is an administrator now/ });
  t.match(await run('users', 'demote', amira.username), { code: 1, stderr: /last administrator/ });
  t.match(await run('users', 'disable', amira.username), { code: 1, stderr: /last administrator/ });
  t.match(await run('users', 'delete', amira.username, '--yes'), { code: 1, stderr: /last administrator/ });
  t.equal((await post(`${server.origin}/api/auth/register`, noor)).status, 201);
  t.match(await list(t, env), [{ role: 'admin' }, { role: 'user', pending_since: /Z$/ }]);
  t.equal((await post(`${server.origin}/api/auth/login`, noor)).status, 403);
  t.match(await run('users', 'approve', noor.username), { code: 0 });
  t.match(await run('users', 'approve', noor.username), { code: 1, stderr: /does not wait/ });
  t.equal((await post(`${server.origin}/api/auth/login`, noor)).status, 200);
  t.match(await run('users', 'quota', noor.username, '--bytes', '5GB', '--images', '100'), {
    stdout: /may store 5 GB and 100 images/,
  });
  t.match(await run('users', 'quota', noor.username, '--bytes', 'default'), { stdout: /as many bytes as the server/ });
  t.match(await run('users', 'quota', noor.username), { code: 2 });
  t.match(await run('users', 'quota', noor.username, '--bytes', 'much'), { code: 2, stderr: /is not a size/ });
  t.match(await run('users', 'password-link', noor.username, '--origin', 'foo'), { code: 2, stderr: /without a path/ });
  const link = await run('users', 'password-link', noor.username, '--origin', server.origin);
  const [, token] = /\/reset#token=([\w-]{43})\n$/.exec(link.stdout) ?? [];
  const renewed = { ...noor, password: 'another-good-password' };
  t.equal((await post(`${server.origin}/api/auth/reset`, { token, password: renewed.password })).status, 204);
  t.equal((await post(`${server.origin}/api/auth/login`, renewed)).status, 200);
  t.match(await run('overview'), { stdout: /^Accounts: 2 \(1 administrators, 0 pending, 0 disabled\)\n/ });
  t.match(await run('settings'), { stdout: /REGISTRATION +approval +environment.*MAX_FILE_SIZE +67 MB +default/s });
  const made = await run('invites', 'create', '--name', 'Family', '--uses', '2', '--origin', server.origin);
  const secret = /#token=([\w-]{43})\n$/.exec(made.stdout)?.[1];
  t.equal((await post(`${server.origin}/api/auth/register`, { ...newAccount(), invite: secret })).status, 201);
  const closed = await admin(t, ['invites', 'create', '--name', 'Family', '--origin', server.origin], {
    ...env,
    REGISTRATION: 'closed',
  });
  t.match(closed, { code: 1, stderr: /Registration is closed on this server, so no invitation works/ });
  t.match(await run('invites', 'list'), { stdout: /Family +anyone +1 of 2/ });
  const [invite] = JSON.parse((await run('invites', 'list', '--json')).stdout);
  t.notOk('secretHash' in invite);
  t.match(await run('invites', 'end', invite.id), { code: 0 });
  const entries = (await run('audit', '--action', 'account')).stdout.trim().split('\n');
  t.match(JSON.parse(entries[1] ?? ''), { action: 'account.role', actor: 'command line', account: amira.username });
});

t.test('the doctor and a backup are started on the page, and end with a result', async (t) => {
  const ask = await callOf(amira);
  const finished = async (kind: string) => {
    const { job, status } = await ask<{ job: AdminJob }>('/jobs', { kind });
    t.equal(status, 202);
    return eventually(`the end of the ${kind}`, async () => {
      const now = (await ask<{ job: AdminJob }>(`/jobs/${job.id}`)).job;
      return now.finished_at !== null && now;
    });
  };
  t.match(await finished('doctor'), {
    ...{ state: 'done', summary: /^Looked at 0 images/, actor: amira.username },
    facts: { images: 0, healthy: false },
    findings: [{ kind: 'setting unsafe', examples: [/^RATE_LIMIT: /] }, { kind: 'setting open' }],
  });
  t.match(await finished('backup'), {
    ...{ state: 'done', summary: /^0 images of \d accounts/ },
    facts: { images: 0, accounts: 3, files: 0, bytes: 0 },
  });
  t.ok(existsSync(env.BACKUP_PATH ?? ''));
  rmSync(folder, { recursive: true });
  t.match(await finished('backup'), {
    state: 'failed',
    summary: /ENOENT\): its folder does not exist\. Create the folder, .* BACKUP_PATH is .*backup\.tar\.$/,
  });
  await run('doctor', '--quick');
  const overview = await ask<AdminOverview>('/overview');
  t.match(overview, { last_doctor: { actor: 'command line', state: 'done' }, last_backup: { actor: amira.username } });
});

t.test('old entries of the audit log are printed and removed', async (t) => {
  const all = (await run('audit')).stdout.trim().split('\n');
  const { code, stdout } = await run('audit', 'trim', '--before', new Date().toISOString());
  t.equal(code, 0);
  t.same(stdout.trim().split('\n').slice(0, all.length), all);
  const left = (await run('audit')).stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  t.match(left, [
    { action: 'audit.trimmed', actor: 'command line', details: { entries: Number } },
    { action: 'audit.exported' },
  ]);
  t.match(await run('audit', 'trim'), { code: 2 });
  for (const moment of ['never', '2999-01-01'])
    t.match(await run('audit', 'trim', '--before', moment), { code: 2, stderr: /needs a date/ });
  const ofOne = await run('audit', '--action', 'login', 'trim', '--before', '2020-01-01');
  t.match(ofOne, { code: 2, stderr: /takes no --action/ });
});
