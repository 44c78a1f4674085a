import type { Command } from 'commander';
import { hashNewPassword } from '../../../auth/password/password-rules.ts';
import { setPassword } from '../../../auth/queries.ts';
import { askPassword } from '../console/ask.ts';
import type { Shell } from '../console/shell.ts';
import { accountArgument, accountNamed, nameOf, sessionsEnded } from './account.ts';
import { refuseWrong } from './create.ts';

export function addUsersSetPassword(users: Command, shell: Shell): void {
  users
    .command('set-password')
    .description('give an account another password and end its sessions; asks for the password')
    .argument('<account>', accountArgument)
    .option('--password-stdin', 'take the password from the standard input instead of asking for it')
    .action(async (name: string, { passwordStdin = false }: { passwordStdin?: boolean }) => {
      const password = await askPassword(passwordStdin);
      refuseWrong({ password });
      await shell.withAdmin(async ({ db }) => {
        const user = await accountNamed(db, name);
        const ended = await setPassword(db, user.id, await hashNewPassword(password, user));
        console.log(`The account ${nameOf(user)} has a new password. ${sessionsEnded(ended)}`);
      });
    });
}
