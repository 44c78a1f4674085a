import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');
export const buildDir = join(root, 'build');

const tool = (...path) => join(root, 'node_modules', ...path);
const copyLauncher = join(root, 'scripts', 'building', 'copy-launcher.mjs');
const copyOpenApi = join(root, 'scripts', 'building', 'copy-openapi.mjs');
const inClient = (path) => !/\.test\.tsx?$/.test(path) && !/^client[\\/]testing[\\/]/.test(path);

/** The product runs from these. Tests and benches run from `server`, the same sources compiled file by file. */
export const shipped = ['program', 'client', 'cli'];

/**
 * inputs: files to hash. outputs: folders below build/ to replace. proof: a file that exists after a build. commands: node
 * arguments that build into a temporary folder. reports: whether to print the output of the last command.
 */
export const targets = {
  server: {
    inputs: [
      'server',
      'drizzle',
      'cli',
      'bench',
      'browser-tests',
      'trust-tests',
      'cluster-tests',
      'container-tests',
      'tsconfig.json',
      'package-lock.json',
      'scripts/building',
    ],
    counts: (path) => !/\.md$|^bench[\\/]results[\\/]/.test(path),
    outputs: [
      'server',
      'drizzle',
      'cli-tests',
      'bench',
      'browser-tests',
      'trust-tests',
      'cluster-tests',
      'container-tests',
    ],
    proof: 'server/main.js',
    needs: tool('typescript', 'package.json'),
    commands: (outDir) => [
      // `npm run types` checks the types, which takes five times as long as the output.
      [tool('typescript', 'bin', 'tsc'), '-p', join(root, 'tsconfig.json'), '--noCheck', '--outDir', outDir],
      // build/cli is the bundle.
      ['--eval', 'fs.renameSync(process.argv[1], process.argv[2])', join(outDir, 'cli'), join(outDir, 'cli-tests')],
      [copyLauncher, join(outDir, 'server', 'decoder', 'cage')],
      [copyOpenApi, join(outDir, 'server')],
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
      [copyOpenApi, join(outDir, 'program')],
    ],
  },
  cli: {
    inputs: ['cli', 'tsconfig.json', 'package.json', 'package-lock.json', 'scripts/building'],
    counts: (path) => !/\.test\.ts$|^cli[\\/]testing[\\/]/.test(path),
    outputs: ['cli'],
    proof: 'cli/gallery.mjs',
    needs: tool('rolldown', 'package.json'),
    commands: (outDir) => [[join(root, 'scripts', 'building', 'cli.mjs'), join(outDir, 'cli')]],
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
      const vite = [tool('vite', 'bin', 'vite.js'), 'build', '--outDir', folder, '--config'];
      return [
        [...vite, join(root, 'client', 'vite.config.ts'), '--emptyOutDir'],
        [...vite, join(root, 'client', 'public-album', 'vite.config.ts')],
        [join(root, 'scripts', 'building', 'service-worker.mjs'), folder],
        [join(root, 'scripts', 'precompress.mjs'), folder],
        [join(root, 'scripts', 'check-bundle.mjs'), folder],
      ];
    },
  },
};
