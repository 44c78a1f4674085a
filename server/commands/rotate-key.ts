import { forgetOtherKeys } from '../database/installation.ts';
import { CommandFailed } from './failures.ts';
import type { AddCommand } from './shell.ts';
import { counted } from './size.ts';
import { eachStored, sealingOf } from './stored-objects.ts';

const closing = `
Set the new key as ENCRYPTION_KEY and the one before as ENCRYPTION_KEY_PREVIOUS, for the server and for this command. The server may go on
running. The bytes are not sealed anew: of each file only the wrapped key before them is written. Broken off, the same
command goes on where it was; until it has come to its end, both keys are needed.`;

export const addRotateKey: AddCommand = (program, shell) => {
  program
    .command('rotate-key')
    .description('put all that is sealed under ENCRYPTION_KEY, so that ENCRYPTION_KEY_PREVIOUS may be forgotten')
    .addHelpText('after', closing)
    .action(() =>
      shell.withAdmin(async (admin) => {
        const sealing = await sealingOf(admin);
        const { done, before, plain, failed } = await eachStored(admin, 'Keys', ({ key, hold }) =>
          sealing.rewrap(key, hold),
        );
        const sum = `${counted(done, 'file')} put under the present key, ${before} were so before`;
        if (failed > 0) {
          throw new CommandFailed(`${sum}, ${failed} could not be, see above: keep the previous key.`);
        }
        const { present } = sealing.keyring;
        if (present) await forgetOtherKeys(admin.db, [present.id]);
        console.log(`${sum}.${plain > 0 ? ` ${counted(plain, 'file')} plain: "encrypt" seals them.` : ''}`);
        console.log(
          'Nothing is sealed by another key any more. Once every server runs with this ENCRYPTION_KEY, ENCRYPTION_KEY_PREVIOUS may be ' +
            'taken away; keep the previous key as long as backups that were made with it.',
        );
      }),
    );
};
