import { CommandFailed } from './failures.ts';
import type { AddCommand } from './shell.ts';
import { counted } from './size.ts';
import { eachStored, sealingOf } from './stored-objects.ts';

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
      shell.withAdmin(async (admin) => {
        const sealing = await sealingOf(admin);
        const storage = await admin.storage();
        const { done, before, plain, failed } = await eachStored(
          admin,
          check ? 'Looking' : 'Sealing',
          check
            ? async ({ key }) => {
                const stored = await sealing.stored(key);
                await stored?.close();
                if (stored) return 'before';
                return (await storage.stat(key)) ? 'plain' : 'missing';
              }
            : ({ key, sha256, hold }) => sealing.seal(key, sha256, hold),
        );
        if (check) {
          console.log(`${counted(before, 'file')} sealed, ${plain} plain.`);
          if (plain > 0) throw new CommandFailed('"encrypt" without --check seals them.');
          return;
        }
        const sum = `${counted(done, 'file')} sealed, ${before} were so before`;
        if (failed > 0) throw new CommandFailed(`${sum}, ${failed} could not be: they stay as they are, see above.`);
        console.log(`${sum}.`);
      }),
    );
};
