import type { Command } from 'commander';
import { commandLine, note } from '../../../audit/note.ts';
import { approve } from '../../../auth/roles/queries.ts';
import { CommandFailed } from '../console/failures.ts';
import type { Shell } from '../console/shell.ts';
import { accountArgument, accountNamed, nameOf } from './account.ts';

export function addUsersApprove(users: Command, shell: Shell): void {
  users
    .command('approve')
    .description('let an account log in that waits for approval (REGISTRATION=approval)')
    .argument('<account>', accountArgument)
    .action((name: string) =>
      shell.withAdmin(async ({ db }) => {
        const account = await accountNamed(db, name);
        await db.transaction(async (tx) => {
          if (!(await approve(tx, account.id))) {
            throw new CommandFailed(`The account ${nameOf(account)} does not wait for approval.`);
          }
          await note(tx, { action: 'account.approved', actor: commandLine, account });
        });
        console.log(`The account ${nameOf(account)} can log in now.`);
      }),
    );
}
