import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');
export const buildDir = join(root, 'build');

const tool = (...path) => join(root, 'node_modules', ...path);
const copyLauncher = join(root, 'scripts', 'building', 'copy-launcher.mjs');
const inClient = (path) => !/\.test\.tsx?$/.test(path) && !/^client[\\/]testing[\\/]/.test(path);

/** What the product runs from; `server` is what its tests and benches run from, the same sources file by file. */
export const shipped = ['program', 'client'];

/**
 * inputs: what it is made from, hashed. outputs: the folders below build/ that it replaces. proof: a file that stands
 * there when it was built. commands: what makes it in a folder of its own, one after another, each as arguments of node;
 * reports: whether what the last of them says is worth reading.
 */
export const targets = {
  server: {
    inputs: [
      'server',
      'drizzle',
      'bench',
      'browser-tests',
      'trust-tests',
      'cluster-tests',
      'tsconfig.json',
      'package-lock.json',
      'scripts/building',
    ],
    counts: (path) => !/\.md$|^bench[\\/]results[\\/]/.test(path),
    outputs: ['server', 'drizzle', 'bench', 'browser-tests', 'trust-tests', 'cluster-tests'],
    proof: 'server/main.js',
    needs: tool('typescript', 'package.json'),
    commands: (outDir) => [
      [tool('typescript', 'bin', 'tsc'), '-p', join(root, 'tsconfig.json'), '--outDir', outDir],
      [copyLauncher, join(outDir, 'server', 'decoder', 'cage')],
    ],
  },
  program: {
    inputs: ['server', 'drizzle', 'tsconfig.json', 'package-lock.json', 'scripts/building'],
    counts: (path) => !/\.test\.ts$|^server[\\/]testing[\\/]/.test(path),
    outputs: ['program'],
    proof: 'program/main.js',
    needs: tool('rolldown', 'package.json'),
    commands: (outDir) => [
      [join(root, 'scripts', 'building', 'bundle.mjs'), join(outDir, 'program')],
      [copyLauncher, join(outDir, 'program')],
    ],
  },
  client: {
    inputs: [
      'client',
      'server/contract.ts',
      'tsconfig.json',
      'package-lock.json',
      'scripts/building',
      'scripts/check-bundle.mjs',
      'scripts/precompress.mjs',
    ],
    counts: inClient,
    outputs: ['client'],
    reports: true,
    proof: 'client/index.html',
    needs: tool('vite', 'package.json'),
    commands: (outDir) => {
      const folder = join(outDir, 'client');
      const config = join(root, 'client', 'vite.config.ts');
      return [
        [tool('vite', 'bin', 'vite.js'), 'build', '--config', config, '--outDir', folder, '--emptyOutDir'],
        [join(root, 'scripts', 'building', 'service-worker.mjs'), folder],
        [join(root, 'scripts', 'precompress.mjs'), folder],
        [join(root, 'scripts', 'check-bundle.mjs'), folder],
      ];
    },
  },
};
