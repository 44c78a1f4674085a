import type { Command } from 'commander';
import { commandLine, note } from '../../../audit/note.ts';
import { insertReset } from '../../../auth/password-reset/queries.ts';
import { hashToken, newToken } from '../../../mail/token.ts';
import { PASSWORD_LINK_MS } from '../../api/recovery-routes.ts';
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
        const token = newToken();
        await db.transaction(async (tx) => {
          const link = { tokenHash: hashToken(token), lifetimeMs: PASSWORD_LINK_MS };
          if (!(await insertReset(tx, user, link))) {
            throw new CommandFailed(`The account ${nameOf(user)} is disabled: enable it first.`);
          }
          await note(tx, { action: 'password.link', actor: commandLine, account: user });
        });
        console.log(`${url}/reset#token=${token}`);
      }),
    );
}
