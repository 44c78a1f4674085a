import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { temporaryFolder } from '../testing/postgres/embedded.ts';
import { adminCommand } from './admin-command.ts';

/** @returns a folder with a built program */
function install(t: Parameters<typeof temporaryFolder>[0]): { root: string; program: string } {
  const root = realpathSync(temporaryFolder(t));
  const program = join(root, 'build/program/admin.js');
  mkdirSync(join(root, 'build/program'), { recursive: true });
  writeFileSync(program, '');
  return { root, program };
}

t.test('a command is named as it works: by admin on the PATH, by npm in a checkout, else by Node', async (t) => {
  const { root, program } = install(t);
  const bin = realpathSync(temporaryFolder(t));
  t.equal(adminCommand('doctor', root, bin), `node ${program} doctor`);
  mkdirSync(join(root, 'scripts'));
  writeFileSync(join(root, 'scripts/admin.mjs'), '');
  t.equal(adminCommand('doctor', root, bin), 'npm run admin -- doctor');
  writeFileSync(join(bin, 'admin'), 'another program');
  t.equal(adminCommand('doctor', root, bin), 'npm run admin -- doctor', 'another program named admin');
  const own = realpathSync(temporaryFolder(t));
  symlinkSync(program, join(own, 'admin'));
  t.equal(adminCommand('doctor', root, `${bin}:${own}`), 'admin doctor');
});
