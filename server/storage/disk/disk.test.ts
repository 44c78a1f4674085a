import type { Test } from 'tap';
import { temporaryFolder } from '../../testing/app.ts';
import { diskSample } from '../testing/disk.ts';
import { partialsChecks } from '../testing/partials-checks.ts';
import { runChecks } from '../testing/sample.ts';
import { storageChecks } from '../testing/storage-checks.ts';

const open = async (t: Test) => diskSample(t, await temporaryFolder(t));

runChecks('disk', storageChecks, open);
runChecks('disk', partialsChecks, open);
