#!/usr/bin/env node
/** The administrator's program as a process: `admin <command>`. */
import { runAdmin } from './console/run.ts';

await runAdmin(process.argv.slice(2), process.env);
