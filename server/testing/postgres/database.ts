import { randomUUID } from 'node:crypto';
import { databaseUrl, parseDatabaseUrl } from '../../database/address.ts';
import { openClient } from '../../database/client.ts';

type Test = { teardown(handler: () => Promise<void>): void };

/** Set by scripts/test.mjs: an administrator's URL of the test cluster, and the name of a migrated database. */
const coordinates = () => {
  const { GALLERY_TEST_ADMIN_URL: admin, GALLERY_TEST_TEMPLATE: template } = process.env;
  if (!admin || !template) throw new Error('No test database: run the tests by "npm test", also a single one.');
  return { admin: parseDatabaseUrl(admin), template };
};

/** An empty, migrated database for one test, on the embedded or the real Postgres, dropped after it. */
export async function createTestDatabase(t: Test): Promise<{ url: string }> {
  const { admin, template } = coordinates();
  const name = template.replace(/template$/, randomUUID().replaceAll('-', ''));
  await asAdmin(`create database ${name} template ${template}`);
  t.teardown(() => asAdmin(`drop database if exists ${name} with (force)`));
  return { url: databaseUrl({ ...admin, database: name }) };
}

async function asAdmin(statement: string): Promise<void> {
  const sql = openClient(coordinates().admin, { max: 1 });
  try {
    await sql.unsafe(statement);
  } finally {
    await sql.end({ timeout: 5 });
  }
}
