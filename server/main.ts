import cluster from 'node:cluster';
import { readConfig } from './config/read-config.ts';
import { refuseToStart } from './workers/starting.ts';

try {
  const config = readConfig(process.env);
  const isPrimary = config.workers > 1 && cluster.isPrimary;
  if (isPrimary) await import('./workers/primary.ts').then(({ startPrimary }) => startPrimary(config));
  else await import('./workers/server.ts').then(({ runServer }) => runServer(config, () => import('./app.ts')));
} catch (error) {
  refuseToStart(error);
}
