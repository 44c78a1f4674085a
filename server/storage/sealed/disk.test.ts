import { randomBytes } from 'node:crypto';
import t from 'tap';
import { temporaryFolder } from '../../testing/app.ts';
import { diskSample } from '../testing/disk.ts';
import { storageSuite } from '../testing/suite.ts';
import { keyringOf } from './keyring.ts';
import { sealObjects } from './objects.ts';

t.setTimeout(240_000);

const keyring = keyringOf({ present: randomBytes(32) });

storageSuite('sealed disk', async (t) =>
  diskSample(t, await temporaryFolder(t), (objects, staging) =>
    keyring ? sealObjects(objects, keyring, staging) : objects,
  ),
);
