/**
 * Bundles what ships into a few files: `node bundle.mjs <folder>`. Loading a thousand library files takes two thirds of a
 * start. All files share one folder, since the program finds its workers and the page relative to itself.
 */
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { externals } from './externals.mjs';
import { root } from './targets.mjs';

const [dir] = process.argv.slice(2);

const bundle = await rolldown({
  cwd: root,
  platform: 'node',
  tsconfig: join(root, 'tsconfig.json'),
  input: {
    main: 'server/main.ts',
    supervisor: 'server/workers/supervisor.ts',
    admin: 'server/admin/commands/admin.ts',
    worker: 'server/decoder/pool/worker.ts',
  },
  external: externals,
});
await bundle.write({ dir, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name].js' });
await bundle.close();
