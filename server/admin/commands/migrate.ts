/** `admin migrate` under the name it first had. */
import { runAdmin } from './console/run.ts';

await runAdmin(['migrate', ...process.argv.slice(2)], process.env);
