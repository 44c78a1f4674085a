import { randomBytes } from 'node:crypto';
import t from 'tap';
import { temporaryFolder } from '../../testing/app.ts';
import { diskSample } from '../testing/disk.ts';
import { testKeyring } from '../testing/keyring.ts';
import { storageSuite } from '../testing/suite.ts';
import { sealWith } from './objects.ts';

t.setTimeout(240_000);

const keyring = testKeyring(randomBytes(32));

storageSuite('sealed disk', async (t) => diskSample(t, await temporaryFolder(t), sealWith(keyring)));
