import type { Command } from 'commander';
import { commandLine } from '../../../audit/note.ts';
import { AccountDisabled } from '../../../errors.ts';
import { createPasswordLink } from '../../password-link.ts';
import { CommandFailed } from '../console/failures.ts';
import { originOf } from '../console/origin.ts';
import type { Shell } from '../console/shell.ts';
import { accountArgument, accountNamed, nameOf } from './account.ts';

export function addUsersPasswordLink(users: Command, shell: Shell): void {
  users
    .command('password-link')
    .description('print a link with which the owner of an account sets a new password; it works once, for a day')
    .argument('<account>', accountArgument)
    .option('--origin <url>', 'how people reach the server; default: PUBLIC_URL')
    .action((name: string, { origin }: { origin?: string }) =>
      shell.withAdmin(async ({ db, config }) => {
        if (config.passwordLogin === 'off')
          throw new CommandFailed('PASSWORD_LOGIN is off, so nobody logs in by a password.');
        const url = originOf(origin, config);
        const user = await accountNamed(db, name);
        const path = await createPasswordLink(db, { account: user, actor: commandLine }).catch((error) => {
          if (!(error instanceof AccountDisabled)) throw error;
          throw new CommandFailed(`The account ${nameOf(user)} is disabled: enable it first.`);
        });
        console.log(`${url}${path}`);
      }),
    );
}
