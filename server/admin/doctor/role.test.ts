import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { databaseUrl, parseDatabaseUrl } from '../../database/address.ts';
import { connect } from '../../database/connect.ts';
import { createTestDatabase } from '../../testing/postgres/database.ts';
import { query } from '../../testing/postgres/embedded.ts';
import type { Issue } from './issues.ts';
import { checkRole } from './role.ts';

async function issuesAs(t: Test, url: string): Promise<string[]> {
  const { db, close } = connect(url);
  t.teardown(close);
  const issues: Issue[] = [];
  await checkRole(db, (issue) => issues.push(issue));
  return issues.map(({ kind, subject }) => `${kind} ${subject}`);
}

t.test('a server that connects as a Postgres superuser is reported, with another role it is not', async (t) => {
  const { url } = await createTestDatabase(t);
  const role = `plain_${randomUUID().slice(0, 8)}`;
  await query(url, `create role ${role} login password 'x'`);
  t.teardown(() => query(url, `drop role ${role}`));
  t.same(await issuesAs(t, databaseUrl({ ...parseDatabaseUrl(url), user: role, password: 'x' })), []);
  await query(url, `alter role ${role} superuser`);
  const again = databaseUrl({ ...parseDatabaseUrl(url), user: role, password: 'x' });
  t.same(await issuesAs(t, again), ['setting open DATABASE_URL']);
});
