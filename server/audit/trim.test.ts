import t from 'tap';
import { buildTestApp } from '../testing/app.ts';
import { commandLine, note } from './note.ts';
import { trimLog } from './queries.ts';

const app = await buildTestApp(t);
const before = new Date('2026-03-01T00:00:00Z');

/** Entries of the given moments. */
async function fill(...moments: string[]): Promise<void> {
  for (const at of moments) {
    await app.db.execute(
      `insert into audit_log (id, at, action, actor, details) values (gen_random_uuid(), '${at}', 'logout', 'amira', '{}')`,
    );
  }
}

const left = async () =>
  (await app.db.execute('select action, details, at from audit_log order by at')).map(({ action }) => action);
const isRefused = { cause: { message: /only grows/ } };

t.test('old entries are saved and removed, and the log names the trim', async (t) => {
  await fill('2026-01-01T00:00:00Z', '2026-02-28T23:59:59Z', '2026-03-01T00:00:00Z');
  const saved: string[] = [];
  const save = async (rows: { at: Date }[]) => void saved.push(...rows.map(({ at }) => at.toISOString()));
  t.equal(await trimLog(app.db, { actor: commandLine, before }, save), 2);
  t.same(saved.sort(), ['2026-01-01T00:00:00.000Z', '2026-02-28T23:59:59.000Z']);
  t.same(await left(), ['logout', 'audit.trimmed']);
  const [entry] = await app.db.execute(`select actor, details from audit_log where action = 'audit.trimmed'`);
  t.same(entry, { actor: 'command line', details: { before: before.toISOString(), entries: 2 } });
  t.equal(await trimLog(app.db, { actor: commandLine, before }, save), 0);
  t.same(await left(), ['logout', 'audit.trimmed'], 'nothing to remove is no entry');
});

t.test('nothing is removed if the entries cannot be saved', async (t) => {
  await fill('2026-01-01T00:00:00Z');
  const full = async () => {
    throw new Error('no space left');
  };
  const entries = await left();
  await t.rejects(trimLog(app.db, { actor: commandLine, before }, full), { message: 'no space left' });
  t.same(await left(), entries);
});

t.test('the database refuses to delete what no note of the same transaction names', async (t) => {
  await fill('2026-01-01T00:00:00Z', '2026-06-01T00:00:00Z');
  await t.rejects(app.db.execute('delete from audit_log'), isRefused, 'after a trim');
  const noted = (statement: string) =>
    app.db.transaction(async (tx) => {
      const details = { before: before.toISOString(), entries: 1 };
      await note(tx, { action: 'audit.trimmed', actor: commandLine, details });
      await tx.execute(statement);
    });
  await t.rejects(noted(`delete from audit_log where action = 'logout'`), isRefused, 'a later entry');
  await t.rejects(noted(`delete from audit_log where action = 'audit.trimmed'`), isRefused, 'the note itself');
});
