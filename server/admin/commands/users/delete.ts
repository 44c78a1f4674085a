import type { Command } from 'commander';
import type { UserRow } from '../../../../drizzle/schema.ts';
import { commandLine, note } from '../../../audit/note.ts';
import { messageOf } from '../../../database/start-error.ts';
import { deleteAccount } from '../../../images/deletion/queries.ts';
import { confirm } from '../console/ask.ts';
import { CommandFailed } from '../console/failures.ts';
import { startProgress } from '../console/progress.ts';
import type { Shell } from '../console/shell.ts';
import { size } from '../console/size.ts';
import { orphanedBlobsOf } from '../orphaned-blobs.ts';
import { accountArgument, accountNamed, nameOf } from './account.ts';

const holdings = ({ imageCount, imageBytes }: UserRow) =>
  `${imageCount} ${imageCount === 1 ? 'image' : 'images'} (${size(imageBytes)})`;

export function addUsersDelete(users: Command, shell: Shell): void {
  users
    .command('delete')
    .description('delete an account and all its images for good; asks first')
    .argument('<account>', accountArgument)
    .option('--yes', 'do not ask')
    .action((name: string, { yes = false }: { yes?: boolean }) =>
      shell.withAdmin(async (admin) => {
        const { db } = admin;
        const user = await accountNamed(db, name);
        if (!yes) {
          const warning = `This deletes the account ${nameOf(user)} and its ${holdings(user)} for good.`;
          await confirm(warning, user.username);
        }
        // Before the rows are deleted: if the storage is unreachable, nothing may change.
        const storage = await admin.storage();
        const { number } = await admin.processRegistry();
        const gone = await db.transaction(async (tx) => {
          const deleted = await deleteAccount(tx, { id: user.id }, number);
          if (deleted === undefined) throw new CommandFailed(`The account ${nameOf(user)} is gone already.`);
          const details = { images: deleted.images, bytes: user.imageBytes };
          await note(tx, { action: 'account.deleted', actor: commandLine, account: user, details });
          return deleted;
        });
        const progress = startProgress('Removing pictures', gone.contents);
        const { failed, failure } = await orphanedBlobsOf(admin, storage, number)
          .removeOwn(progress.step)
          .finally(progress.stop);
        if (failed > 0) {
          throw new CommandFailed(
            `The account ${nameOf(user)} is deleted, but the files of ${failed} of its ${gone.contents} pictures are not removed ` +
              `yet (${messageOf(failure)}). The server tries again every minute while it runs.`,
          );
        }
        console.log(
          `The account ${nameOf(user)} and its ${holdings({ ...user, imageCount: gone.images })} are deleted.`,
        );
      }),
    );
}
