import { appendFile, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../../server/testing/app.ts';
import { openJournal } from './journal.ts';

const folder = await temporaryFolder(t);
const one = { path: '/p/ä.jpg', size: 10, mtime: 1700000000000.5 };
const two = { path: '/p/b.jpg', size: 20, mtime: 1700000000000 };

t.test('an entry is found by another process for exactly the same file', (t) => {
  const file = join(folder, 'new', 'found.jsonl');
  openJournal(file).add({ ...one, key: 'k', upload: '/api/uploads/1' });
  openJournal(file).add({ ...one, key: 'k', image: 'i' }, true);
  const journal = openJournal(file);
  t.same(journal.find(one), { ...one, key: 'k', image: 'i' }, 'the last line counts');
  t.equal(journal.find({ ...one, mtime: one.mtime + 1 }), undefined);
  t.equal(journal.find({ ...one, size: 11 }), undefined);
  t.equal(journal.find(two), undefined);
  t.end();
});

t.test('a line that a killed run left unfinished is dropped, and the next line is readable', async (t) => {
  const file = join(folder, 'torn.jsonl');
  openJournal(file).add({ ...one, key: 'k', image: 'i' });
  await appendFile(file, JSON.stringify({ ...two, key: 'lost' }).slice(0, -5));
  const journal = openJournal(file);
  t.equal(journal.find(two), undefined);
  journal.add({ ...two, key: 'again' });
  const later = openJournal(file);
  t.match(later.find(one), { image: 'i' });
  t.match(later.find(two), { key: 'again' });
});

t.test('superseded lines are removed once there are many', async (t) => {
  const file = join(folder, 'long.jsonl');
  const line = (key: string) => `${JSON.stringify({ ...one, key })}\n`;
  await writeFile(file, line('old').repeat(1500) + line('last'));
  t.match(openJournal(file).find(one), { key: 'last' });
  t.equal(await readFile(file, 'utf8'), line('last'));
  t.equal((await stat(file)).mode & 0o777, 0o600, 'only its user can read it');
});

t.test('a run that changes nothing creates no journal', async (t) => {
  const file = join(folder, 'none.jsonl');
  openJournal(file, true).add({ ...one, key: 'k' });
  await t.rejects(stat(file), { code: 'ENOENT' });
});
