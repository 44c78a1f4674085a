import { aloneAtObjects } from './alone.ts';
import { CommandFailed } from './failures.ts';
import type { AddCommand } from './shell.ts';
import { counted } from './size.ts';
import { eachStored, sealingOf } from './stored-objects.ts';
import type { Admin } from './surroundings.ts';

const closing = `
The server may go on running. Each file is copied, the sealed copy opened again and compared with the SHA-256 of its row, then
put in its place. Broken off, the same command goes on where it was.

Exit code 1 where something could not be sealed, and with --check where something is plain.`;

export const addEncrypt: AddCommand = (program, shell) => {
  program
    .command('encrypt')
    .description('seal what is stored plain, with ENCRYPTION_KEY')
    .option('--check', 'only count what is sealed and what is plain')
    .addHelpText('after', closing)
    .action(({ check = false }: { check?: boolean }) =>
      shell.withAdmin((admin) => (check ? look(admin) : aloneAtObjects(admin.address, () => seal(admin)))),
    );
};

async function look(admin: Admin): Promise<void> {
  const sealing = await sealingOf(admin);
  const { before, plain, failed } = await eachStored(admin, 'Looking', ({ key }) => sealing.look(key));
  console.log(`${counted(before, 'file')} sealed, ${plain} plain.`);
  if (failed > 0)
    throw new CommandFailed(`${counted(failed, 'file')} could not be looked at, or opened by any key, see above.`);
  if (plain > 0) throw new CommandFailed('"encrypt" without --check seals them.');
}

async function seal(admin: Admin): Promise<void> {
  const sealing = await sealingOf(admin);
  const { done, before, failed } = await eachStored(admin, 'Sealing', ({ key, sha256, put }) =>
    sealing.seal(key, sha256, put),
  );
  const sum = `${counted(done, 'file')} sealed, ${before} were so before`;
  if (failed > 0) throw new CommandFailed(`${sum}, ${failed} could not be: they stay as they are, see above.`);
  console.log(`${sum}.`);
}
