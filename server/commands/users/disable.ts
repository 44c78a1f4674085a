import type { Command } from 'commander';
import { setDisabled } from '../../auth/queries.ts';
import type { Shell } from '../shell.ts';
import { accountArgument, accountNamed, nameOf, sessionsEnded } from './account.ts';

export function addUsersDisable(users: Command, shell: Shell): void {
  users
    .command('disable')
    .description('end the sessions of an account and let nobody log in to it; its images and their links stay')
    .argument('<account>', accountArgument)
    .action((name: string) =>
      shell.withAdmin(async ({ db }) => {
        const user = await accountNamed(db, name);
        const ended = await setDisabled(db, user.id, true);
        console.log(`The account ${nameOf(user)} is disabled. ${sessionsEnded(ended)}`);
      }),
    );
  users
    .command('enable')
    .description('let the owner of a disabled account log in again')
    .argument('<account>', accountArgument)
    .action((name: string) =>
      shell.withAdmin(async ({ db }) => {
        const user = await accountNamed(db, name);
        // An account that was not disabled keeps its sessions.
        if (user.disabledAt) await setDisabled(db, user.id, false);
        console.log(`The account ${nameOf(user)} is enabled.`);
      }),
    );
}
