import cluster from 'node:cluster';
import { readConfig } from './config/read-config.ts';
import { refuseToStart } from './workers/starting.ts';

// The SDK's version is pinned and supports this Node; its warning about later versions would appear at every start.
process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true';

try {
  const config = readConfig(process.env);
  if (config.workers > 1 && cluster.isPrimary) {
    const { startPrimary } = await import('./workers/primary.ts');
    await startPrimary(config);
  } else {
    const { runServer } = await import('./workers/server.ts');
    await runServer(config, process.env, () => import('./app.ts'));
  }
} catch (error) {
  refuseToStart(error);
}
