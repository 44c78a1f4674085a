#!/usr/bin/env node
/** Entry point of the administrator's program: `admin <command>`. */
import { runAdmin } from './console/run.ts';

await runAdmin(process.argv.slice(2), process.env);
