import { randomUUID } from 'node:crypto';
import { mkdir, rename, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../../testing/app.ts';
import { makeMark } from '../mark.ts';
import type { Objects } from '../objects.ts';
import { storageSuite } from '../testing/suite.ts';
import { openDiskStorage } from './open.ts';

t.setTimeout(240_000);

storageSuite('disk', async (t) => {
  const folder = await temporaryFolder(t);
  const root = join(folder, 'files');
  const installation = await makeMark(root, randomUUID());
  let process = 0n;
  let objects: Objects | undefined;
  const open = async (wrap?: (plain: Objects) => Objects) => {
    process += 1n;
    const storage = await openDiskStorage(root, { installation, process, wrap });
    t.teardown(() => storage.close());
    return storage;
  };
  await open((plain) => {
    objects = plain;
    return plain;
  });
  if (!objects) throw new Error('not opened');
  return {
    storage: await open(),
    objects,
    second: () => open(),
    async takeAway() {
      await rename(root, `${root}-elsewhere`);
      await mkdir(root);
      return async () => {
        await rmdir(root);
        await rename(`${root}-elsewhere`, root);
      };
    },
  };
});
