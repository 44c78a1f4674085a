import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import type { ImageRow } from '../../drizzle/schema.ts';
import { sha256Of } from '../sha256.ts';
import { temporaryFolder } from '../testing/app.ts';
import { openTestStorage } from '../testing/storage.ts';
import { createDigests } from './digests.ts';
import { originalKey } from './keys.ts';
import { createOriginals } from './originals.ts';

t.test('a damaged original is put down in the log once, by its id alone', async (t) => {
  const storage = await openTestStorage(join(await temporaryFolder(t), 'files'));
  const lines: unknown[][] = [];
  const log = { error: (...words: unknown[]) => void lines.push(words) };
  const originals = createOriginals({ storage, digests: createDigests(storage), log: log as never });
  const bytes = Buffer.alloc(600_000, 'bytes of a picture');
  const row = {
    id: '0198c0de-0000-7000-8000-000000000001',
    extension: 'jpg',
    linkKey: 'the-link-is-the-permission',
    size: bytes.length,
    sha256: sha256Of(bytes),
  } as ImageRow;
  await storage.write(originalKey(row), bytes);
  const put = (now: Buffer) => storage.withLocalFile(originalKey(row), ({ path }) => writeFile(path, now));
  const read = async () => {
    const reader = await originals.open(row);
    const [first, rest] = [Buffer.alloc(400_000), Buffer.alloc(200_000)];
    try {
      await reader?.read(first, 0);
      await reader?.read(rest, first.length);
    } finally {
      await reader?.close();
    }
    return Buffer.concat([first, rest]);
  };
  t.ok((await read()).equals(bytes));
  t.same(lines, []);

  for (const at of [10, 599_999]) {
    lines.length = 0;
    const damaged = Buffer.from(bytes);
    damaged[at] = 0;
    await put(damaged);
    for (let time = 0; time < 3; time += 1) await t.rejects(read(), { code: 'DAMAGED_ORIGINAL' });
    await t.rejects(originals.open(row, { start: 0, end: 5 }), { code: 'DAMAGED_ORIGINAL' });
    t.equal(lines.length, 1);
    t.match(JSON.stringify(lines), row.id);
    t.notMatch(JSON.stringify(lines), row.linkKey);
  }
  await put(bytes);
  t.ok((await read()).equals(bytes), 'restored, it is good again');
});
