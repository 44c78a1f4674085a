import Fastify from 'fastify';
import fp from 'fastify-plugin';
import t from 'tap';
import { listen } from '../testing/app.ts';
import { eventually } from '../testing/eventually.ts';
import { background } from './plugin.ts';

t.test('a start does not wait for the bytes of dead processes, which are removed after it', async (t) => {
  let purges = 0;
  const images = {
    orphanedBlobs: {
      sweepOwn: async () => 0,
      sweepDead: () => {
        purges += 1;
        return new Promise(() => undefined);
      },
    },
  };
  const none = () => undefined;
  const parts = {
    db: {},
    storage: { sweep: async () => undefined },
    database: { processRegistry: {} },
    images,
    shutdown: { onStop: none, onClose: none },
  };
  const app = Fastify({ pluginTimeout: 2_000 });
  for (const name of ['graceful-shutdown', 'database', 'storage', 'images']) {
    await app.register(fp(async () => undefined, { name }));
  }
  for (const [name, part] of Object.entries(parts)) app.decorate(name, part);
  t.teardown(() => app.close());
  await app.register(background);
  await app.ready();
  t.equal(purges, 0);
  await listen(app);
  await eventually('the removal has begun', () => purges === 1);
});
