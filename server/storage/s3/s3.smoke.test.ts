import t from 'tap';
import { withoutS3 } from '../../testing/s3.ts';
import { s3Sample } from '../testing/s3.ts';
import { partialsSuite, storageSuite } from '../testing/suite.ts';

t.setTimeout(240_000);

storageSuite('s3', s3Sample, withoutS3);
partialsSuite('s3', s3Sample, withoutS3);
