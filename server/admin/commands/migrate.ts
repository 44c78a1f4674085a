/** `admin migrate` under its original name. */
import { runAdmin } from './console/run.ts';

await runAdmin(['migrate', ...process.argv.slice(2)], process.env);
