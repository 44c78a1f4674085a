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

t.test('a command is named as it works: by admin on the PATH, by npm under npm, else by Node', async (t) => {
  const { root, program } = install(t);
  const [other, own] = [realpathSync(temporaryFolder(t)), realpathSync(temporaryFolder(t))];
  const byNode = 'node build/program/admin.js doctor';
  const byNpm = { npm_lifecycle_event: 'start' };
  t.equal(adminCommand('doctor', root, byNpm), byNode, 'without the scripts of a checkout');
  mkdirSync(join(root, 'scripts'));
  writeFileSync(join(root, 'scripts/admin.mjs'), '');
  t.equal(adminCommand('doctor', root, {}), byNode, 'as a service');
  t.equal(adminCommand('doctor', root, byNpm), 'npm run admin -- doctor');
  writeFileSync(join(other, 'admin'), 'another program');
  t.equal(adminCommand('doctor', root, { PATH: other }), byNode, 'another program named admin');
  symlinkSync(program, join(own, 'admin'));
  t.equal(adminCommand('doctor', root, { ...byNpm, PATH: `${other}:${own}` }), 'admin doctor');
});
