import type { Command } from 'commander';
import { commandLine, note } from '../../../audit/note.ts';
import { everythingOf } from '../../../database/statements/access.ts';
import { createDeletion } from '../../../images/deletion/deletion.ts';
import { confirm } from '../console/ask.ts';
import { CommandFailed } from '../console/failures.ts';
import type { Shell } from '../console/shell.ts';
import { orphanedBlobsOf } from '../orphaned-blobs.ts';
import { nameOf } from '../users/account.ts';
import { copiesLine, imageArgument, imageNamed, titleOf } from './image.ts';

export function addImagesDelete(images: Command, shell: Shell): void {
  images
    .command('delete')
    .description('delete a picture of any account for good; asks first')
    .argument('<link>', imageArgument)
    .option('--yes', 'do not ask')
    .action((text: string, { yes = false }: { yes?: boolean }) =>
      shell.withAdmin(async (admin) => {
        const { db } = admin;
        const { image, owner } = await imageNamed(db, text);
        if (!yes) await confirm(`This deletes ${titleOf(image)} of the account ${nameOf(owner)} for good.`, 'delete');
        // Before the row is deleted: if the storage is unreachable, nothing may change.
        const storage = await admin.storage();
        const { number } = await admin.processRegistry();
        const deletion = createDeletion({
          db,
          process: number,
          orphanedBlobs: orphanedBlobsOf(admin, storage, number),
          // This process serves no links; the database notifies the servers.
          forget: () => {},
          forgetAll: () => {},
        });
        if (!(await deletion(everythingOf(owner.id), image.id)))
          throw new CommandFailed('This picture has just been deleted.');
        const details = { image: image.id };
        await note(db, { action: 'image.deleted', actor: commandLine, account: owner, details });
        console.log(`${titleOf(image)} of the account ${nameOf(owner)} is deleted, and its links are dead.`);
        const left = await copiesLine(db, image);
        if (left) console.log(`${left}.`);
      }),
    );
}
