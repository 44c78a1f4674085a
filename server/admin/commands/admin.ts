#!/usr/bin/env node
/** Entry point of the administrator's program: `admin <command>`. */
import { runAdmin } from './console/run.ts';

// The SDK's version is pinned and supports this Node; its warning about later versions would appear at every command.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

await runAdmin(process.argv.slice(2), process.env);
