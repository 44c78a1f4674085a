import t from 'tap';
import { temporaryFolder } from '../../testing/app.ts';
import { diskSample } from '../testing/disk.ts';
import { storageSuite } from '../testing/suite.ts';

t.setTimeout(240_000);

storageSuite('disk', async (t) => diskSample(t, await temporaryFolder(t)));
