import { temporaryFolder } from '../../../testing/app.ts';
import { diskSample } from '../../testing/disk.ts';
import { runSealingChecks } from '../../testing/sealing-checks.ts';

runSealingChecks('disk', async (t, wrap) => diskSample(t, await temporaryFolder(t), wrap));
