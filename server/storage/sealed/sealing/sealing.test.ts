import { temporaryFolder } from '../../../testing/app.ts';
import { diskSample } from '../../testing/disk.ts';
import { sealingSuite } from '../../testing/sealing-suite.ts';

sealingSuite('disk', async (t, wrap) => diskSample(t, await temporaryFolder(t), wrap));
