import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../../server/testing/app.ts';
import { scan } from './scan.ts';
import { watch } from './watch.ts';

t.test('a folder that cannot be read is reported once, and again after it could be read', async (t) => {
  const root = join(await temporaryFolder(t), 'pictures');
  const first = await scan(root);
  t.equal(first.failed.length, 1, 'reported before');
  const steps = [
    () => {},
    () => mkdir(root),
    () => rm(root, { recursive: true }),
    () => {},
    () => mkdir(root).then(() => writeFile(join(root, 'a.png'), 'a')),
  ];
  let scans = 0;
  const passes: unknown[] = [];
  const outcome = { stored: 0, present: 0, failed: 0, unsent: 0 };
  await watch(root, {
    first,
    isDone: () => false,
    async pass({ files, failed }) {
      passes.push([scans, files.length, failed.map(({ reason }) => reason)]);
      return files.length > 0 ? { ...outcome, stopped: new Error('enough') } : outcome;
    },
    mayContinue: () => false,
    pauseAfter() {
      // The pause is longer than each change takes.
      Promise.resolve(steps[scans]?.()).catch(t.bailout);
      scans += 1;
      return 100;
    },
  });
  t.same(passes, [
    [3, 0, ['There is no such file.']],
    [6, 1, []],
  ]);
});
