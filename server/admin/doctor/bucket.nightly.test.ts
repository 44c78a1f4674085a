/** Orphaned files in the bucket of a real S3 server. */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import type { Config } from '../../config/config.ts';
import { sha256Of } from '../../lib/sha256.ts';
import { openBucket } from '../../storage/s3/backend.ts';
import { openCalls } from '../../storage/s3/calls.ts';
import { signIn } from '../../testing/account.ts';
import { buildTestApp } from '../../testing/app.ts';
import { storeFiles } from '../../testing/form.ts';
import { picture } from '../../testing/pictures.ts';
import { createTestBucket, s3Config, settingsOf, storedObjects, withoutS3 } from '../../testing/s3.ts';
import type { Issue } from './issues.ts';
import { checkOrphanedFiles } from './orphaned-files.ts';

t.setTimeout(240_000);

t.test(
  'orphaned files in a bucket are reported and moved aside without overwriting anything',
  { skip: withoutS3 },
  async (t) => {
    const { bucket } = await createTestBucket(t);
    const app = await buildTestApp(t, await s3Config(t, bucket));
    await storeFiles(app, await signIn(app), [{ name: 'a.png', bytes: await picture() }]);
    const live = await storedObjects(bucket);
    const calls = await openCalls(settingsOf(bucket));
    const backend = await openBucket(bucket as Config);
    t.teardown(() => [calls.close(), backend.close()]);
    const put = async (key: string, text: string) => {
      const bytes = Buffer.from(text);
      await calls.put(`${bucket.s3Prefix}${key}`, bytes, { size: bytes.length, sha256: sha256Of(bytes) });
    };
    const orphanedFile = `originals/00/${randomUUID()}.png`;
    const odd = 'screens/ein Zettel & mehr.txt';
    await put(orphanedFile, 'of nobody');
    await put(odd, 'of somebody else');
    const text = async (key: string) =>
      Buffer.concat(await (await calls.get(`${bucket.s3Prefix}${key}`)).body.toArray()).toString();
    const look = async (repair: boolean, hours: number) => {
      const issues: Issue[] = [];
      const now = () => Date.now() + hours * 3_600_000;
      const parts = { db: app.db, backend, isOwned: async () => true };
      const count = await checkOrphanedFiles(parts, { repair, report: (issue) => issues.push(issue), now });
      return { count, issues };
    };
    t.match(await look(true, 0), { count: 4, issues: [] }, 'a young file may belong to an upload');
    const looked = await look(false, 2);
    t.same(
      looked.issues.map(({ kind, subject }) => `${kind} ${subject}`).sort(),
      [`stray file ${odd}`, `stray file ${orphanedFile}`].sort(),
    );
    t.equal((await storedObjects(bucket)).length, 4);

    const afterRepair = await look(true, 2);
    t.same(
      afterRepair.issues.map(({ repaired }) => repaired),
      [true, true],
    );
    const aside = (await storedObjects(bucket)).filter((key) => key.startsWith('lost-and-found/'));
    t.same((await storedObjects(bucket)).filter((key) => !aside.includes(key)).sort(), live.sort());
    t.match(
      aside.find((key) => key.endsWith(odd)),
      /^lost-and-found\/\d{4}-\d\d-\d\d\/screens\/ein Zettel & mehr\.txt$/,
    );
    t.equal(await text(`${aside.find((key) => key.endsWith(odd))}`), 'of somebody else');
    t.match((await look(true, 2)).issues, []);
    await put(orphanedFile, 'another');
    await look(true, 2);
    const both = (await storedObjects(bucket)).filter((key) => key.includes(orphanedFile));
    t.same((await Promise.all(both.map(text))).sort(), ['another', 'of nobody']);
  },
);
