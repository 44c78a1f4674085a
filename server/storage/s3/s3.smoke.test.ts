import t from 'tap';
import { withoutS3 } from '../../testing/s3.ts';
import { partialsChecks } from '../testing/partials-checks.ts';
import { s3Sample } from '../testing/s3.ts';
import { runChecks } from '../testing/sample.ts';
import { storageChecks } from '../testing/storage-checks.ts';

t.setTimeout(240_000);

runChecks('s3', storageChecks, s3Sample, withoutS3);
runChecks('s3', partialsChecks, s3Sample, withoutS3);
