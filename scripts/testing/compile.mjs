import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');
const build = join(root, 'build');

/** Builds what the tests need, with or without the page and the client's logic tests. Whole folders are replaced. */
export async function compile({ page, logic }) {
  node('scripts/build.mjs', ...(page ? [] : ['server', 'program']));
  if (logic) compileClientTests();
  buildTap();
}

/** Compiles the client's tests that need no page; they are not part of the client's build. */
function compileClientTests() {
  const config = join(build, 'client-tests.tsconfig.json');
  const outDir = join(build, 'client-tests');
  rmSync(outDir, { recursive: true, force: true });
  mkdirSync(build, { recursive: true });
  const compilerOptions = { noEmit: false, outDir, rootDir: root, types: ['node', 'vite/client'] };
  const include = [join(root, 'client/**/*.test.ts'), join(root, 'client/**/*.d.ts')];
  writeFileSync(config, JSON.stringify({ extends: '../client/tsconfig.json', compilerOptions, include, exclude: [] }));
  node('node_modules/typescript/bin/tsc', '-p', config);
}

/** tap generates its test class for the plugins of .taprc after each install; otherwise its first run fails. */
function buildTap() {
  const built = join(root, 'node_modules/@tapjs/test/test-built/dist/esm/index.js');
  const fresh = existsSync(built) && !readFileSync(built, 'utf8').includes('@tapjs/typescript');
  if (!fresh || !existsSync(join(root, '.tap/plugins/node_modules')))
    node('node_modules/tap/dist/esm/run.mjs', 'build');
}

function node(...words) {
  const { status, signal } = spawnSync(process.execPath, words, { cwd: root, stdio: 'inherit' });
  if (status !== 0) throw new Error(`node ${words.join(' ')} ended with ${signal ?? status}.`);
}
