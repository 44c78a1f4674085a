import { readFileSync } from 'node:fs';
import { getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import t from 'tap';
import * as schema from '../../drizzle/schema.ts';

t.test('docs/run/encryption.md lists what every table reveals', async (t) => {
  const text = readFileSync('docs/run/encryption.md', 'utf8');
  const [, section = ''] = text.split('### What the database gives away\n');
  const [list = ''] = section.split(/^###? /m);
  const firstCells = [...list.matchAll(/^\| (`[^|]*)\|/gm)].map(([, cell = '']) => cell);
  const documented = new Set(firstCells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name)));
  const tables = Object.values(schema).filter((value) => is(value, PgTable));
  t.ok(tables.length > 10);
  t.same([...documented].sort(), tables.map(getTableName).sort());
});
