import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { sha256Of } from '../../lib/sha256.ts';
import { testKeyring } from '../../storage/testing/keyring.ts';
import { temporaryFolder } from '../../testing/app.ts';
import {
  earlierInstallation,
  earlierKey,
  earlierObjects,
  earlierTimes,
  plainBackup,
  sealedBackup,
} from '../../testing/collections/earlier-backups.ts';
import { partLines } from '../part-lines.ts';
import { openBackupFile } from './file.ts';
import { openArchive } from './reader.ts';
import { CLOSING } from './tar-header.ts';

const third = '2026-01-03T00:00:00.000Z';

const files = [
  { form: 'plain', bytes: plainBackup, keyring: undefined },
  { form: 'sealed', bytes: sealedBackup, keyring: testKeyring(earlierKey) },
];

for (const { form, bytes, keyring } of files) {
  t.test(`a ${form} backup of version 0.1.0 is read and appended to`, async (t) => {
    const path = join(await temporaryFolder(t), 'backup.tar');
    await writeFile(path, bytes);
    const file = await openBackupFile(path, { installation: earlierInstallation, full: false, keyring });
    t.match(file, { newest: earlierTimes[1], left: 0, complaints: [] });
    for (const object of earlierObjects) await file.writer.putBytes(object);
    const part = await file.writer.putPart(Buffer.from('{"object":"second"}\n{"object":"third "}\n'));
    t.equal(file.writer.added().objects, 0, 'the file holds all of them');
    await file.writer.putBytes(Buffer.from('fourth'));
    await file.writer.seal({
      format: file.format,
      program: '0.1.0',
      time: third,
      installation: earlierInstallation,
      schema: 1,
      tables: [{ name: 'images', columns: ['object'], rows: 2, parts: [{ ...part, lines: 2 }] }],
      files: { count: 0, bytes: 0, missing: 0, damaged: 0, parts: [] },
    });
    await file.finish();
    const whole = bytes.subarray(0, -CLOSING);
    t.same((await readFile(path)).subarray(0, whole.length), whole, 'no earlier byte is changed');

    const archive = await openArchive(path, keyring);
    t.teardown(() => archive.close());
    t.same(
      archive.snapshots.map(({ time }) => time),
      [...earlierTimes, third],
    );
    t.same(archive.gaps, []);
    for (const object of [...earlierObjects, Buffer.from('fourth')]) {
      t.same(await archive.readObject(sha256Of(object)), object);
    }
    const rows: string[][] = [];
    for (const snapshot of archive.snapshots) {
      const { tables } = await archive.readManifest(snapshot);
      for (const table of tables) for (const each of table.parts) rows.push(await partLines(archive, each));
    }
    t.same(rows, [
      ['{"object":"first"}', '{"object":"second"}'],
      ['{"object":"second"}', '{"object":"third "}'],
      ['{"object":"second"}', '{"object":"third "}'],
    ]);
  });
}
