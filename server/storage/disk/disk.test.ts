import type { Test } from 'tap';
import { temporaryFolder } from '../../testing/app.ts';
import { diskSample } from '../testing/disk.ts';
import { partialsSuite, storageSuite } from '../testing/suite.ts';

const open = async (t: Test) => diskSample(t, await temporaryFolder(t));

storageSuite('disk', open);
partialsSuite('disk', open);
