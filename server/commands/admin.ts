#!/usr/bin/env node
/** The administrator's program as a process: `admin <command>`. */
import { runAdmin } from './run.ts';

await runAdmin(process.argv.slice(2), process.env);
